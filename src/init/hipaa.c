/* SPDX-License-Identifier: Apache-2.0 */
/* hipaa.c -- see hipaa.h. One table: names, cells, letter, rule. */
#include "init/hipaa.h"

/* Persons over 89 at the time of a table are so later, too. */
enum { YEAR_LEAST = 2026, YEAR_MOST = 2100 };
/* Fewer values tell nobody apart. */
enum { DISTINCT_SOME = 20 };
static const double UNIQUE_SOME = 0.3, UNIQUE_MOST = 0.5, DATED_SOME = 0.5;

enum {
    NOT_NUMBERS = 1, /* the name counts only where the values are no numbers: "visits: 3" */
    WEAK = 2,        /* the name alone decides only where there are many values */
    DATED = 4        /* the name counts only where many values are dates or years */
};

typedef struct row {
    char         letter;
    kn_cell_rule rule;
    unsigned     traits;
    const char  *names; /* as in kinds.c; NULL: no name tells */
    bool (*cell)(kn_str cell);
    double share, unique; /* of the cells that pass; of different values among all */
} row;

/* The first that fits. Parts of dates and ages stand before dates, since "age at admission" is an age, and
 * special numbers before "patient" and "id". */
static const row rows[] = {
    { 'F', KN_CELL_NOTHING, 0, "~email ^mail", kn_cell_is_email, 0.1, 0 },
    { 'E', KN_CELL_NOTHING, WEAK, "^fax $fax", NULL, 0, 0 },
    { 'D', KN_CELL_NOTHING, WEAK,
      "~phone =tel ^telef ^mobile ^handy =gsm ^portable ^movil ^cellulare =cell", kn_cell_is_phone,
      0.5, 0.3 },
    { 'G', KN_CELL_NOTHING, 0, "=ssn ^ssn $ssn ^socialsec ^sozialvers", kn_cell_is_ssn, 0.5, 0 },
    { 'L', KN_CELL_NOTHING, WEAK,
      "=vin ^vehicle ^licenseplate ^licenceplate =plate ^numberplate ^kennzeichen ^kenteken "
      "^carreg",
      NULL, 0, 0 },
    { 'K', KN_CELL_NOTHING, WEAK, "^licen ^certific ^passport ^driver =npi =dea ^reisepass", NULL,
      0, 0 },
    { 'I', KN_CELL_NOTHING, WEAK,
      "^benefici =mbi =hicn ^memberid ^membern ^healthplan ^policyn ^policyid ^planid ^insuranceid "
      "^insurancen ^insured ^subscriber ^versichert ^medicareid ^medicaidid ^payerid",
      NULL, 0, 0 },
    { 'J', KN_CELL_NOTHING, WEAK,
      "^account ^acct =iban ^iban $iban ^creditcard ^cardn ^bankacc ^konto ^rekening",
      kn_cell_is_account, 0.8, 0 },
    { 'M', KN_CELL_NOTHING, WEAK, "^device ^serial =imei =udi ^macaddr", NULL, 0, 0 },
    { 'P', KN_CELL_NOTHING, WEAK, "^biometr ^fingerprint ^voiceprint =dna ^faceprint ^palmprint",
      NULL, 0, 0 },
    { 'Q', KN_CELL_NOTHING, WEAK, "^photo ^image ^picture ^portrait ^foto ^bild", NULL, 0, 0 },
    { 'O', KN_CELL_NOTHING, 0, "=ip ^ipaddr ^ipv", kn_cell_is_ip, 0.5, 0 },
    { 'N', KN_CELL_NOTHING, WEAK, "^url $url ^website ^homepage ^web", kn_cell_is_url, 0.5, 0 },
    { 'H', KN_CELL_NOTHING, 0,
      "=mrn ^mrn $mrn ^medicalrecord ^medrec ^patientid ^patientno ^patientnr ^patientnum ^chartn "
      "^chartid ^hospitalno =pid =patid ^patid ^caseid ^casen ^fallnr ^encounterid ^encountern "
      "^visitid ^stayid ^admissionid ^accession",
      NULL, 0, 0 },
    { 'B', KN_CELL_ZIP3, 0, "=zip ^zipc $zip ~postcode ^postal ^postleitzahl =plz", NULL, 0, 0 },
    { 'B', KN_CELL_NOTHING, 0,
      "^street ^address $address ^addr ^strasse =rue =calle =lat =lon =lng ^latit ^longit ^coord "
      "^gps "
      "^geocod ^houseno ^housen ^apartment",
      kn_cell_is_street, 0.5, 0 },
    { 'B', KN_CELL_STATE, NOT_NUMBERS,
      "=city $city ^town =place ^birthplace ^county ^precinct ^municipal ^district ^neighbo "
      "^village "
      "^borough ^parish ^location =ort ^wohnort ^stadt ^gemeinde ^landkreis ^ville ^commune "
      "^ciudad "
      "^citta",
      NULL, 0, 0 },
    { 'B', KN_CELL_NOTHING, 0, "^censustract =tract ^blockgroup =fips ^countycode ^countyfips",
      NULL, 0, 0 },
    { 'C', KN_CELL_AGE, 0, "=age ^ageat ^agein ^ageyears $age =alter ^lebensalter =edad =leeftijd",
      NULL, 0, 0 },
    { 'C', KN_CELL_BIRTH, 0,
      "~birth =dob =yob =born ~geburt ~geboort ^naissance ^nacimiento ^nascita", NULL, 0, 0 },
    { 'C', KN_CELL_YEAR, 0, "=month $month =weekday =dayofweek =dow =quarter =week ^calendarweek",
      NULL, 0, 0 },
    { 'C', KN_CELL_YEAR, NOT_NUMBERS, "~date ~datum ^fecha ^timestamp =time =dod", kn_cell_is_date,
      0.5, 0 },
    { 'C', KN_CELL_YEAR, DATED,
      "^admitted ^admission ^discharge ^death ^deceased ^died ^appointment ^visit ^onset ^service "
      "^aufnahme ^entlassung",
      kn_cell_is_month, 0.5, 0 },
    { 'A', KN_CELL_NOTHING, 0,
      "~surname ~firstname ~lastname ^forename ~middlename ^nickname ^initials ~fullname "
      "~maidenname "
      "~birthname ^givenname ^familyname ~nachname ~vorname ^prenom ^apellido ^cognome ~achternaam "
      "~voornaam ^patientname ^nextofkin",
      kn_cell_is_person, 0.2, 0 },
    { 'A', KN_CELL_NOTHING, WEAK,
      "$name =names ^nameof =nom =nombre =nome =naam ^employer ^spouse ^guardian", NULL, 0, 0 },
    { 'R', KN_CELL_NOTHING, WEAK,
      "=id $id ^identif =key =uuid =guid ^pseudonym ^patient ^subject ^record ^participant ^member "
      "^customer ^client ^kennung",
      NULL, 0, 0 },
};

static double
uniqueness(const kn_evidence *e)
{
    return e->filled ? (double) e->distinct / (double) e->filled : 0;
}

static bool
fits_by_cells(const row *r, const kn_evidence *e)
{
    return r->cell && e->looks.cells >= KN_CELLS_LEAST && uniqueness(e) >= r->unique
        && kn_looks_share(&e->looks, r->cell) >= r->share;
}

static bool
fits_by_name(const row *r, const kn_evidence *e)
{
    kn_folded name = kn_fold(e->name);
    double    dated = kn_looks_share(&e->looks, kn_cell_is_year)
                 + kn_looks_share(&e->looks, kn_cell_is_date);

    if (!r->names || ((r->traits & NOT_NUMBERS) && e->type == KN_TYPE_NUMBER && dated < DATED_SOME)
        || ((r->traits & DATED) && dated < DATED_SOME))
        return false;
    return kn_name_matches(&name, r->names) > 0;
}

/* A name alone may be that of a kind or a flag: "device type", "vehicle: yes". */
static bool
tells_apart(const kn_evidence *e)
{
    return e->distinct >= DISTINCT_SOME || uniqueness(e) >= UNIQUE_MOST;
}

static const row *
find_by_name(const kn_evidence *e, unsigned traits)
{
    for (size_t i = 0; i < KN_COUNT(rows); i++)
        if ((rows[i].traits & WEAK) == traits && fits_by_name(&rows[i], e))
            return &rows[i];
    return NULL;
}

/* By a strong name, by a weak one that many values have, by cells. Cells of which nothing may be shown go
 * before a name of which something may. */
static const row *
find_row(const kn_evidence *e)
{
    const row *found = find_by_name(e, 0);

    if (!found && tells_apart(e))
        found = find_by_name(e, WEAK);
    if (found && found->rule == KN_CELL_NOTHING)
        return found;
    for (size_t i = 0; i < KN_COUNT(rows); i++)
        if (fits_by_cells(&rows[i], e) && (!found || rows[i].rule == KN_CELL_NOTHING))
            return &rows[i];
    return found;
}

kn_hipaa
kn_hipaa_find(const kn_evidence *e)
{
    const row *found = find_row(e);

    if (found)
        return (kn_hipaa){ found->letter, found->rule, false };
    found = find_by_name(e, WEAK);
    if (found && found->letter == 'A') /* "hospital name": a few values may name persons */
        return (kn_hipaa){ 'A', KN_CELL_ANY, true };
    if (!kn_nearly_unique(e) || e->type == KN_TYPE_DATE)
        return (kn_hipaa){ 0, KN_CELL_ANY, false };
    return e->type == KN_TYPE_STRING ? (kn_hipaa){ 'R', KN_CELL_NOTHING, false }
                                     : (kn_hipaa){ 'R', KN_CELL_ANY, true };
}

bool
kn_hipaa_free_text(const kn_evidence *e)
{
    return e->looks.cells >= KN_CELLS_LEAST && uniqueness(e) >= UNIQUE_SOME
        && kn_looks_share(&e->looks, kn_cell_is_prose) >= UNIQUE_SOME;
}

int
kn_hipaa_year(int year, const kn_evidence *e)
{
    year = year > YEAR_LEAST ? year : YEAR_LEAST;
    return e && e->looks.last_year > year && e->looks.last_year < YEAR_MOST ? e->looks.last_year
                                                                            : year;
}
