/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c -- the kinds of columns: by which name and by which cells each is recognised, which role it should
 * have, and which roles contradict it. Names in English, German, Dutch, French, Spanish, Italian, and some
 * others, with the abbreviations of registers and surveys. */
#include "init/recognise.h"

/* A "number" is an identifier only when it tells most rows apart; numbers of persons and households that
 * stand in several rows still tell more than a handful of them apart. */
#define MOSTLY_UNIQUE 0.5
#define HARDLY_REPEATED 0.02

/* Roles that look wrong: for what names a person, all but one; for what is easy to know about a person
 * exactly, those that release it unchanged; for what is easy to know, the one that says nobody knows it. */
enum {
    IF_INSENSITIVE = KN_ROLE_BIT(KN_ROLE_INSENSITIVE),
    UNLESS_GENERALIZED = IF_INSENSITIVE | KN_ROLE_BIT(KN_ROLE_SENSITIVE)
                       | KN_ROLE_BIT(KN_ROLE_NONE),
    UNLESS_HIDDEN = UNLESS_GENERALIZED | KN_ROLE_BIT(KN_ROLE_QUASI)
};

/* Numbers that tell persons apart. */
#define PERSON_NUMBER "the name suggests a number that belongs to one person"
#define OWN_NUMBER "the name suggests a number, and most rows have a distinct one"
#define STREET "the name suggests an exact address"
#define SAMPLING                                                                                   \
    "a sampling weight shows the stratum and links members of a household; please decide"

/* The first one that a name matches decides, so the special stand before the general: "sexual orientation"
 * before "sex", "city name" before "name". */
const kn_kind kn_kinds[] = {
    { .names = "~surname ~firstname ~lastname ^forename ^givenname ^nickname ^initials "
               "~achternaam ~voornaam ~roepnaam ~nachname ~vorname ~zuname ~familienname "
               "~rufname ^prenom ^nomdefamille ^nomfamille ^nomdenaissance ^apellido ^cognome "
               "^nominativo ^sobrenome ~fornamn ~efternamn ~birthname ~maidenname ~geburtsname",
      .cell = kn_cell_is_person,
      .share = 0.2,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_TELLING,
      .reason = "the name suggests a person's name",
      .looks = "names of persons" },
    { .names = "~email ^mail ^courriel ^correoel ^postaelettronica",
      .cell = kn_cell_is_email,
      .share = 0.1, /* nothing else looks like one */
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_EMAIL,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests contact data of a person",
      .looks = "e-mail addresses" },
    { .names = "~phone =tel ^telef ^mobile ^handy =gsm ^fax ^portable ^movil ^cellulare",
      .cell = kn_cell_is_phone,
      .share = 0.6,
      .cells_unique = 0.3,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_PHONE,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests contact data of a person",
      .looks = "telephone numbers" },
    { .names = "^url $url ^website ^webseite ^homepage ^siteweb ^paginaweb =sito",
      .cell = kn_cell_is_url,
      .share = 0.5,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_URL,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests contact data of a person",
      .looks = "addresses of pages" },
    { .names = "=ip ^ipaddr ^ipadr ^adresseip",
      .cell = kn_cell_is_ip,
      .share = 0.5,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IP,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests contact data of a person",
      .looks = "addresses of computers" },
    { .names = "~twitter ^username =login",
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests contact data of a person" },
    { .names = "^iban $iban =bic ^passport ~paspoort ^reisepass ^passeport ^pasaporte "
               "^passaporto =ssn =bsn =nin =nhs =nif =nie =dni =nir =nss =kv =kvnr =pesel =cpf "
               "=nino ^socialsec ^sofi ^burgerservice ^rijksregister ^sozialvers ^rentenvers "
               "^versichertennummer ~krankenversichertenn ^steuernummer ^steueriden =steuerid "
               "^idnummer ^personalausw ^ausweis ^fuhrerschein ^driverl ^driversl ^drivingl "
               "^account ^konto ^rekening =conto ^contocorrente ^cuenta ^compteb ^kenteken "
               "^kennzeichen ^kfzkenn ^licenseplate ^licenceplate ^numberplate "
               "^immatriculation ^matricula =targa ^creditcard ^cardnumber =mrn ^codicefiscale "
               "^tesserasan =secu",
      .cell = kn_cell_is_account,
      .share = 0.8,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_PERSONS,
      .reason = PERSON_NUMBER,
      .looks = "numbers of accounts, cards or records" },
    { .names = "~uuid $guid",
      .cell = kn_cell_is_uuid,
      .share = 0.8,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_KEY,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_PERSONS,
      .reason = PERSON_NUMBER,
      .looks = "numbers of records" },
    { .names = "^street ^straat ^strasse ^strase ^address ^adres ^anschrift ^direccion "
               "^domicilio ^indirizzo =rue =calle",
      .cell = kn_cell_is_street,
      .share = 0.5,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_WORDS | KN_KIND_TELLING,
      .reason = STREET,
      .looks = "exact addresses" },
    { .names = "^housen ^huisn ^hausn =hnr ^numerocivico",
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_GENERALIZED,
      .traits = KN_KIND_TELLING,
      .reason = "the name suggests part of an exact address" },
    /* Before health and work: remarks on a diagnosis may hold anything. */
    { .names = "^comment ^remark =note =notes ^freetext ~bemerkung ^notiz ^notitie ~kommentar "
               "~freitext ~anmerkung ~opmerking ^toelichting ^remarque ^observacion "
               "^comentario ^osservazion ^commento",
      .cell = kn_cell_is_prose,
      .fits = kn_fits_text,
      .share = 0.3,
      .cells_unique = 0.5,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_TEXT,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests free text, which may name people",
      .looks = "free text, which may name people" },
    /* Before the numbers of persons, and before what is known of a family. */
    { .names = "=hhid =hhnr =hhno ^hhnum =idhh ^householdid ^householdn ^householdkey "
               "^householdser =serial ~haushaltsid ~haushaltsn ~haushaltnr ^idmenage ^menageid "
               "^nummenage ^idhogar ^hogarid ^numhogar ^idfamiglia ^famigliaid ^huishoudnr "
               "^huishoudn ^huishoudensn ^huishoudid ^huishoudensid ^familyid",
      .names_unique = HARDLY_REPEATED,
      .fits = kn_fits_many,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_KEY,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_HOUSEHOLDS,
      .reason = "the name suggests a number that members of a household share" },
    { .names = "=id $id =key =nr =no =num $nr $nummer ^number $number ^numero =n ^record "
               "^index =lfd ^laufendenr ^aktenzeichen ^serial ^matricola ^matricule "
               "^progressivo ^dossier =cle ^clave ^chiave ^sleutel ^schlussel ^kennung",
      .names_unique = MOSTLY_UNIQUE,
      .fits = kn_fits_many,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_KEY,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_PERSONS | KN_KIND_UNDATED,
      .reason = OWN_NUMBER },
    { .names = "=id =pid =user =uid ^userid =person =subject ^participant ^teilnehm ^proband "
               "=patid =patnr =pat ^patientid ^patientn ^idpa ^idpers ^idassist "
               "^respondent ^subjectid ^personid ^personn ^identif ^customer ^klant ^kunde "
               "^client ^member ^versichertenid",
      .names_unique = HARDLY_REPEATED,
      .fits = kn_fits_many,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_KEY,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_PERSONS | KN_KIND_UNDATED,
      .reason = PERSON_NUMBER },
    /* Not the weight of a body. */
    { .names = "=perwt =hhwt =wtper =wtsupp ^pweight ^pwgt =wgt ^fweight ^sampleweight "
               "^samplingw ^surveyweight ^personweight ^designweight ^hochrechnung ~gewichtung "
               "^poidssond ^poidsind ^ponderation ^ponderac ^factorelev ^factorexp "
               "^factordeexp ^pesocamp ^coefficientediri ^weegf ^weging ^ophoogf",
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_NUMBER,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_ASK | KN_KIND_SAMPLING,
      .reason = SAMPLING },
    { .names = "=weight =wt ^gewicht =poids =peso =gew",
      .fits = kn_fits_sampling,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_NUMBER,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_ASK | KN_KIND_SAMPLING,
      .reason = SAMPLING },
    { .names = "=atc $atc ^atccode",
      .role = KN_ROLE_SENSITIVE,
      .packs = "atc",
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_UNDATED,
      .reason = "the name suggests health data" },
    { .names = "~diagnos ^diag =dx =nd =hd =icd ^icd =cie ^disease ^illness ^sickness ^symptom "
               "^condition ^medic ^medik ^arznei ^wirkstoff ^farma ^drug ^treatment ^therap "
               "~behandl ^behandel ^traitement ^tratamiento =cura ^ziekte ~krankheit ^maladie "
               "^enfermedad ^malattia ^doenca =hiv ^disabilit ~behinderung ^handicap ~handicap "
               "^discapacid ^invalid ^beperking =gdb ^allerg ^blood ^blut ^bloed ^tensionart "
               "^presionart ^pressione ^systol ^diastol =bp ^pregnan ^schwanger ^zwanger "
               "^diabet ^insulin ^glucos ^glyc ^glicem ^cholest ^colest ^hba ^kreatin ^creatin "
               "^hemoglob ^hamoglob ^cancer ^krebs ^kanker ^smok ^rauch ^fum ^roker ^alcohol "
               "^alkohol =ops ^procedure ^procedim =acte =ccam ^intervent ^verricht "
               "~todesursache ^causeofdeath ^causedec ^causedudec ^causamuerte ^causamorte "
               "~doodsoorzaak",
      .cell = kn_cell_is_health_code,
      .share = 0.9,
      .role = KN_ROLE_SENSITIVE,
      .packs = "icd-10 icd-10-cm atc",
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_UNDATED,
      .reason = "the name suggests health data",
      .looks = "codes of diagnoses or drugs" },
    { .names = "^insur ~versicherungsart ~kostentrager ^assicur ^verzeker ^tiposeguro "
               "^assurance ^regime",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_CASES,
      .reason = "others may know how a person is insured" },
    { .names = "^salar ^salair ~income =inctot ^wage ^earning ^salaris ~inkomen =loon ~loon "
               "~gehalt ~einkommen ~verdienst ~lohn ^revenu ^revdisp =ingresos ^reddito "
               "^retribuz ^stipend ^sueldo ^renda ^debt ^schuld ^dette ^deuda ^debito ^loan "
               "^kredit ^credit ^wealth ^vermogen ^balance ^saldo ~kosten ^cost ^cout ^charge "
               "^price ^preis ^amount ^betrag ~betrag ^montant ^importe ^importo ^bedrag =rent "
               "^miete ^loyer ^alquiler ^affitto =huur ^bonus ^prime ^premio ^comision ^brutto "
               "^netto",
      .role = KN_ROLE_SENSITIVE,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_UNDATED | KN_KIND_QUANTITY,
      .reason = "the name suggests financial data" },
    { .names = "^religi ^godsdienst ^faith ^glaube ~konfession ^crime ^criminal ^convict "
               "^offence ^offense ^infraction ^misdaad ^delict ^delikt ~straftat ^delit "
               "^delito ^reato ^politic ^politiek ^politique =party =partei ^partito ^partido "
               "=partij ^vote ^union ^vakbond ^gewerkschaft ^orientation ^sexual ^geaardheid",
      .role = KN_ROLE_SENSITIVE,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES | KN_KIND_UNDATED,
      .reason = "the name suggests something private" },
    { .names = "^postleitzahl =plz",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_POSTCODE,
      .hierarchy = KN_PROPOSE_MASK,
      .packs = "postcode-de",
      .wrong = UNLESS_GENERALIZED,
      .reason = "a postcode is easy to know about a person" },
    { .names = "=zip ^zipc",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_POSTCODE,
      .hierarchy = KN_PROPOSE_MASK,
      .packs = "postcode-us",
      .wrong = UNLESS_GENERALIZED,
      .reason = "a postcode is easy to know about a person" },
    { .names = "^codepostal =cp",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_POSTCODE,
      .hierarchy = KN_PROPOSE_MASK,
      .packs = "postcode-fr",
      .wrong = UNLESS_GENERALIZED,
      .reason = "a postcode is easy to know about a person" },
    { .names = "~postcode ^postal =cap ^codigopostal ^codicepostale ^codiceavv ^postnummer",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_POSTCODE,
      .hierarchy = KN_PROPOSE_MASK,
      .packs = "postcode-uk",
      .wrong = UNLESS_GENERALIZED,
      .reason = "a postcode is easy to know about a person" },
    { .names = "=lat $lat ~latitu ~breitengrad ~breedtegraad",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_COORDINATE,
      .hierarchy = KN_PROPOSE_LAT,
      .wrong = UNLESS_GENERALIZED,
      .reason = "a position is easy to know about a person" },
    { .names = "=lon =long =lng ~longitu ~langengrad ~laengengrad ~lengtegraad",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_COORDINATE,
      .hierarchy = KN_PROPOSE_LON,
      .wrong = UNLESS_GENERALIZED,
      .reason = "a position is easy to know about a person" },
    { .names = "^coord ~koordinat ^gps ^geoloc",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_COORDINATE,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = UNLESS_GENERALIZED,
      .reason = "a position is easy to know about a person" },
    { .names = "^nuts",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_CODE,
      .hierarchy = KN_PROPOSE_AUTO,
      .packs = "nuts",
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES,
      .reason = "a place is easy to know about a person" },
    { .names = "=city ^town =place ^birthplace ^region ^country =cob =pob =lau =ags ^insee "
               "=istat ^county =state ^province ^provinz ^municipal ^district ^neighbo "
               "^village ^location =stad =plaats ^woonplaats ^gemeente ^provincie ^wijk ^buurt "
               "=land ~geboorteland ~geburtsland ~herkunftsland =stadt ^stadtteil =ort "
               "^wohnort ~geburtsort ^gemeinde ^bundesland ^landkreis =kreis ^kanton ^ville "
               "^commune ^departement ^lieu =pays ^ciudad ^localidad ^municip ^provincia =pais "
               "^citta =comune ^regione ^paese ^quartiere ^cidade ^miasto ^kommun",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_PLACE,
      .packs = "iso-3166 nuts",
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES | KN_KIND_UNDATED,
      .reason = "a place is easy to know about a person" },
    { .names = "~birth =dob =yob =born ~geboort ~geburts =geb ^gebdat ^gebj ^gebd =jahrgang "
               "=nele ~naissance ~nacimiento =nac ^nascit =nasc ^datanasc ^nascimento ^fodelse",
      .cell = kn_cell_is_date,
      .share = 0.8,
      .years = 35,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = UNLESS_GENERALIZED,
      .reason = "birth is easy to know about a person",
      .looks = "dates of birth: they span decades" },
    { .cell = kn_cell_is_moment,
      .share = 0.5,
      .cells_unique = 0.1,
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_TIMESTAMP,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = UNLESS_GENERALIZED,
      .traits = KN_KIND_ALWAYS,
      .looks = "dates with the time of day, which others may know" },
    { .names = "=age ^agegr ^ageclass ^ageband =agep =ageyrs ^leeftijd =lft =alter ^alters "
               "^lebensalter =edad ^grupoedad =eta =idade =alder",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_QUANTITY | KN_KIND_RANKED,
      .reason = "age is easy to know about a person" },
    { .names = "=sex ~gender ^geslacht =gesl ^geschl =sexe =sexo =sesso ^genere =genero =genre "
               "^plec",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES,
      .reason = "sex is easy to know about a person" },
    { .names = "=race ~ethnic =ras ^etni ^herkomst ^herkunft ^origin ^migrationsh =raza "
               "^hautfarbe",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES,
      .reason = "origin is easy to know about a person (some laws call it sensitive)" },
    { .names = "^householdsize ^hhsize ^familysize ~haushaltsgro ^tailledumenage ^taillemenage "
               "^tamanohogar ^tamanodelhogar ^componenti ~huishoudgro ~huishoudensgro "
               "~children ^nchild ~kinder ^nbenf ^enfants =hijos ^numhijos =figli ^nperson "
               "^numpers ^anzahlpers ^nbpers",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_QUANTITY,
      .reason = "family status is easy to know about a person" },
    { .names = "~marital =marstat =marst ^marriage ^married ^relationship =relate ^matrimon "
               "^situationmatr =etamatri ^burgerlijk =burgst ^huwelijk ^familienstand =famstd "
               "=famst ^zivilstand ^beziehung =relatie ^etatcivil =lien ^liendepar "
               "^estadocivil =ecivil ^parentesco ^statocivile =staciv =relpar ^civil "
               "^household ^haushalt ^huishouden ^menage ^hogar ^famigl ^spouse",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES,
      .reason = "family status is easy to know about a person" },
    { .names = "~nationali =nat =natio ^citizen ^staatsang ^staatsburger ^nacionalidad "
               "^cittadinanza ^nazionalita ^native ^language ^mothertongue ^taal ^moedertaal "
               "=sprache ^muttersprache ^langue ^idioma ^lingua",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .packs = "iso-3166",
      .wrong = IF_INSENSITIVE,
      .traits = KN_KIND_CASES,
      .reason = "nationality is easy to know about a person" },
    { .names = "^educat =educ $educ =isced ^degree ^qualification ^highestq ^school ^study "
               "^opleiding =oplniv ^onderwijs ^ausbildung ~bildung ^schule ~schulabschluss "
               "^diplom =dipl ^etudes ^niveaudetudes ^formation ^educacion ^estudios ^nivelest "
               "^istruzione ^titolo",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_RANKED,
      .reason = "education is easy to know about a person" },
    { .names = "^isco $isco ^occcode",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_CODE,
      .hierarchy = KN_PROPOSE_AUTO,
      .packs = "isco-08",
      .reason = "work is easy to know about a person" },
    { .names = "^nace =wz ^wzcode =naf ^codenaf =cnae =ateco =sbi ^industrycode",
      .role = KN_ROLE_QUASI,
      .form = KN_FORM_CODE,
      .hierarchy = KN_PROPOSE_AUTO,
      .packs = "nace-2",
      .reason = "work is easy to know about a person" },
    { .names = "^hours ~stunden ^heures ^horas ^oresett ^orelav =uren ^urenper",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_QUANTITY,
      .reason = "work is easy to know about a person" },
    { .names = "=job ^jobtitle ^occupation ^profession ~professional ^workclass ^work ^employ "
               "=empstat ^labforce ^labour ^labor ^career ^beroep ^functie =baan ^werk ^arbeid "
               "~beruf ^arbeit ~arbeit ~beschaftig ^erwerb =erwtyp ^tatigkeit ^metier ^emploi "
               "=situa ^trabajo ^profesion ^ocupacion ^situacionlab =sitlab ^lavoro ^mestiere "
               "=condprof ^profissao ^industry ^sector ^branche",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_CASES | KN_KIND_UNDATED,
      .reason = "work is easy to know about a person" },
    { .names = "^hospital ~krankenhaus ^klinik ^clinic ^etablissement ^centro ^ospedale "
               "^ziekenhuis ^provider =ward ~abteilung ^department ^service ^servicio "
               "^departamento ^reparto ^afdeling =station",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_CASES | KN_KIND_UNDATED,
      .reason = "others may know where a person was" },
    { .names = "=weight ^bodyweight ^birthweight =height ^bodyheight =bmi =imc ^gewicht "
               "~korpergewicht ^geburtsgewicht =grosse =grose ~korpergro =lengte ^lichaams "
               "^poids =taille =talla ^peso ^altura ^estatura ^altezza ^statura",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_QUANTITY,
      .reason = "body measures can be known about a person" },
    { .names = "=los ^lengthofstay ~verweildauer ~liegedauer ~aufenthaltsdauer ^dureesejour "
               "^dureedesejour ^diasest ^diasdeest ^giornideg ^giornatedi ^ligduur ^verpleegd",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_QUANTITY,
      .reason = "others may know when a person was where" },
    { .names = "^admission ^admitted ^discharge ^visit ^appointment ^arrival ^death ~ofdeath "
               "^aufnahme ~entlass ^besuch =termin ^ankunft ^sterbe ~sterbedat ^opname "
               "~opnamedat ^ontslag ^bezoek ^aankomst ^overlijd ^entree ^sortie ^rendezvous "
               "^deces ^ingreso =alta =cita ^defuncion ^ricovero ^dimissione ^decesso",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .reason = "others may know when a person was where" },
    { .names = "^date ~datum ^fecha ~time ~uhrzeit ^zeit ^heure ^hora =ora ^tijd ~tijd",
      .fits = kn_fits_moment,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .reason = "a date can be known about a person" },
    { .names = "^rooms ^zimmer ^nbpieces ^habitaciones ^stanze ^kamers ^aantal ^anzahl "
               "^numberof ^numof ^nombrede ^numerode ^numerodi",
      .fits = kn_fits_number,
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_QUANTITY | KN_KIND_ASK,
      .reason = "a count of something; please decide" },
    { .names = "^satisf ~zufrieden ^soddisf ^tevreden ^agree ~zustimm ^accord ^acuerdo ^mening "
               "^opinion ^meinung ^rating ^likert ^grade ^rank",
      .role = KN_ROLE_QUASI,
      .hierarchy = KN_PROPOSE_AUTO,
      .traits = KN_KIND_RANKED | KN_KIND_ASK,
      .reason = "an answer on a scale, which others may know; please decide" },
    { .names = "$name =names ^namen ^nameof $naam =nom =nombre =nome =namn =imie ^nazwisko",
      .fits = kn_fits_text,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_IDENTIFIER,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests a person's name" },
    { .names = "=id ^identif ^patient ^customer ^klant ^kunde ^client ^member ^kennung",
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_KEY,
      .wrong = UNLESS_HIDDEN,
      .traits = KN_KIND_PERSONS | KN_KIND_UNDATED,
      .reason = PERSON_NUMBER },
    { .names = "^description ~beschreibung ^descripcion ^descrizione ^omschrijving "
               "~beschrijving",
      .fits = kn_fits_text,
      .role = KN_ROLE_IDENTIFIER,
      .form = KN_FORM_TEXT,
      .wrong = UNLESS_HIDDEN,
      .reason = "the name suggests free text, which may name people" },
};

const size_t kn_kind_count = KN_COUNT(kn_kinds);
