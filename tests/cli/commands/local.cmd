# Local recoding: how classes read, with every way of widening them and with one value for all.
t() { echo "\$ kanon $*"; "$KANON" "$@" -o out.csv -q --keep-order 2>&1; echo "[$?]"; cat out.csv; rm -f out.csv; }
cat > d.csv <<'END'
age,temp,weight,job,born,ill
24,-1.5,"60,5",nurse,1970-01-31,x
26,0.25,"61,0",midwife,1970-03-02,y
31,-1.5,"62,5",nurse,1970-12-24,x
?,2,"80,0",baker,1988-05-01,y
47,2.5,"80,0",bishop,1999-07-07,y
47,2.5,"80,0",?,1988-05-30,x
?,10,"99,5",baker,1988-05-30,y
END
printf '%s;care;in work;*\n' nurse midwife > job.csv
printf '%s;other;in work;*\n' baker >> job.csv
printf '%s;church;church;*\n' bishop >> job.csv
cat > c.yaml <<'END'
k: 3
suppression: 0
algorithm: mondrian
attributes:
  age:    {role: quasi, type: number, hierarchy: {range: [5, 10, 50]}}
  temp:   {role: quasi, type: number, hierarchy: {range: [5]}}
  weight: {role: quasi, type: number, hierarchy: {range: [5, 10]}}
  job:    {role: quasi, hierarchy: {file: job.csv}}
  born:   {role: quasi, hierarchy: {date: [month, year, decade]}}
  ill:    {role: sensitive}
END
t anonymize d.csv -c c.yaml --snap off
t anonymize d.csv -c c.yaml --snap hierarchy
t anonymize d.csv -c c.yaml
t anonymize d.csv -c c.yaml --grid age=10 --grid temp=0.5
t anonymize d.csv -c c.yaml --local mean
t anonymize d.csv -c c.yaml --local median
t anonymize d.csv -c c.yaml --local mode
sed -i 's/range: \[5, 10, 50\]}/&, grid: 20/; 1i local: interval' c.yaml
t anonymize d.csv -c c.yaml --algorithm k-members
"$KANON" anonymize d.csv -c c.yaml -o - --keep-order -v 2> said | "$KANON" check - -c c.yaml -k 3 -q && echo checked
grep ' quasi  ' said
"$KANON" anonymize d.csv -c c.yaml -o out.csv --snap hierarchy -v 2> said | grep ' quasi  '
