# The starter config: roles with reasons, awkward names quoted, no cell in it, accepted as it is.
cat > people.csv <<'CSV'
Name,birthDate,age,sex,postcode,city,job,income,diagnosis,shoe size,"on","a ""quoted"" name: x",remarks
Ann Smith,1970-01-31,54,F,80015,Napoli,nurse,31000,flu,38,1,x,z1
Bob Jones,1981-02-28,43,M,80013,Napoli,clerk,28000,none,43,1,y,z1
Cyd Brown,1959-03-01,65,F,80016,Roma,nurse,,flu,39,1,x,z1
Dan Green,1990-12-24,34,M,80115,Roma,clerk,45000,asthma,44,1,y,z1
Eve White,1985-07-15,39,F,80111,Napoli,judge,90000,none,37,1,x,z1
Fay Black,1972-08-08,52,F,80112,Roma,judge,85000,none,40,1,y,z1
Gus Stone,1988-09-19,36,M,80119,Napoli,clerk,30000,flu,42,1,x,z1
Hal Woods,1994-10-10,30,M,80011,Roma,nurse,29000,none,41,1,y,z1
Ida Field,1977-11-11,47,F,80014,Napoli,clerk,33000,asthma,36,1,x,z1
Jan Brook,1966-05-05,58,M,80118,Roma,judge,95000,flu,45,1,y,z1
CSV
"$KANON" init people.csv || exit
echo "--- as a file"
"$KANON" init people.csv -o kanon.yaml
"$KANON" anonymize people.csv -c kanon.yaml -o release.csv -k 2 --suppression 20% -q
echo "[$?]"
ls
"$KANON" init people.csv --delimiter , --missing '-,none' --header yes -q | grep -E '^(delimiter|missing|header)'
"$KANON" init - < people.csv | grep -c role:
echo "--- what must be looked at first"
printf 'x,y\na,b\nc,d\n' | "$KANON" init - 2>&1 | grep -E '^(header|kanon)'
{ echo visit; seq -f '19%02g-01-31' 10 70; echo soon; } > visits.csv
"$KANON" init visits.csv -o visits.yaml 2>&1
grep -c soon visits.yaml
"$KANON" anonymize visits.csv -c visits.yaml -o release.csv > /dev/null 2>&1
echo "[$?]"
