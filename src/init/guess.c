/* SPDX-License-Identifier: Apache-2.0 */
/* guess.c -- what a column is, guessed from its name in several European languages, its type
 * and how many different values it has. A guess is a proposal: the user decides. */
#include "init/starter.h"

enum { NAME_MOST = 240 };
/* Share of rows with a value of their own from which a column is taken for an identifier. */
static const double NEARLY_UNIQUE = 0.9;
/* A "number" or free text is an identifier only when it tells most rows apart. */
static const double MOSTLY_UNIQUE = 0.5;
/* Mean number of characters from which a text is taken for free text. */
static const double LONG_TEXT = 40;
/* Rows for each number of a person: more than one, and not so many as a ward or a year has. A count may be
 * an estimate that errs by a few percent. */
enum { REPEATED_ROWS_LEAST = 20 };
static const double REPEATED_FEWER = 0.9, REPEATED_MOST = 50;

/* --- names ------------------------------------------------------------------------------------- */

/* Latin-1's letters from U+00C0 on without their accents. */
static const char folded[] = "aaaaaaaceeeeiiiidnooooo ouuuuy saaaaaaaceeeeiiiidnooooo ouuuuy y";

static bool
is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool
is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* "dateOfBirth", "Date of birth", "DATE_OF_BIRTH" -> " date of birth ". */
static void
fold(kn_str name, char out[NAME_MOST + 4])
{
    size_t len = 0;

    out[len++] = ' ';
    for (size_t i = 0; i < name.len && len < NAME_MOST; i++) {
        char          c = name.ptr[i];
        unsigned char next = i + 1 < name.len ? (unsigned char) name.ptr[i + 1] : 0;

        if ((unsigned char) c == 0xc3 && next >= 0x80 && next <= 0xbf) {
            c = folded[next - 0x80];
            i++;
        } else if (is_upper(c)) {
            if (i && is_lower(name.ptr[i - 1]))
                out[len++] = ' ';
            c = (char) (c - 'A' + 'a');
        }
        if (is_lower(c))
            out[len++] = c;
        else if (out[len - 1] != ' ' && (unsigned char) c < 0x80)
            out[len++] = ' ';
    }
    if (out[len - 1] != ' ')
        out[len++] = ' ';
    out[len] = 0;
}

/* Patterns are separated by blanks: =word is a word of the name, ^word begins one, $word ends one, ~word is
 * anywhere. */
static bool
matches(const char *name, const char *patterns)
{
    kn_str rest = kn_str_of(patterns), pattern;

    while (kn_str_split(&rest, ' ', &pattern)) {
        size_t len = pattern.len - 1;

        if (pattern.len < 2)
            continue;
        for (const char *at = name + 1; *at; at++) /* the first character is a blank */
            if (strncmp(at, pattern.ptr + 1, len) == 0
                && (strchr("~$", pattern.ptr[0]) || at[-1] == ' ')
                && (strchr("~^", pattern.ptr[0]) || at[len] == ' '))
                return true;
    }
    return false;
}

typedef struct rule {
    const char      *patterns;
    kn_role          role;
    kn_proposal_kind hierarchy;
    double           least_unique; /* share of different values that the rule asks for */
    const char      *reason;
} rule;

/* Numbers that tell persons apart. */
static const char PERSON_NUMBER[] = "the name suggests a number that belongs to one person";
static const char OWN_NUMBER[] = "the name suggests a number, and most rows have a distinct one";

static const char STREET[] = "the name suggests an exact address";

/* The first rule that matches decides, so the special stand before the general: "sexual orientation" before
 * "sex", "city name" before "name". English, German, Dutch, French, Spanish, Italian, and some others. */
static const rule rules[] = {
    { "~surname ~firstname ~lastname ^forename ^nickname ^initials ~achternaam ~voornaam ~roepnaam "
      "~nachname ~vorname ^prenom ^apellido ^cognome ^sobrenome ~fornamn ~efternamn "
      "~birthname ~maidenname ~geburtsname",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0, "the name suggests a person's name" },
    { "~email ^mail ~phone =tel ^telef ^mobile ^handy =gsm ^fax ^portable ^movil ^cellulare "
      "~twitter ^username =login ^url ^website =ip",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0, "the name suggests contact data of a person" },
    { "^iban $iban =bic ^passport ~paspoort ^reisepass ^passeport ^pasaporte ^passaporto =ssn =bsn "
      "=nin "
      "=nhs =nif =nie =dni =pesel =cpf =nino ^socialsec ^sofi ^burgerservice ^rijksregister "
      "^sozialvers ^versichertennummer ^steuernummer ^account ^konto ^rekening ^kenteken "
      "^kennzeichen ^licenseplate ^licenceplate ^creditcard ^cardnumber ~uuid $guid =mrn "
      "^codicefiscale =secu",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0, PERSON_NUMBER },
    { "^street ^straat ^strasse ^strase ^address ^adres ^anschrift ^direccion ^domicilio "
      "^indirizzo =rue =calle",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0, STREET },
    { "^housen ^huisnummer ^hausnummer", KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0,
      "the name suggests part of an exact address" },
    /* Before health and work: remarks on a diagnosis may hold anything. */
    { "^comment ^remark =note =notes ^freetext ~bemerkung ^notiz ^notitie ~kommentar ~freitext "
      "~anmerkung ~opmerking ^toelichting ^remarque ^observacion ^comentario ^osservazion "
      "^commento",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0,
      "the name suggests free text, which may name people" },

    { "^diagnos ^disease ^illness ^sickness ^icd ^symptom ^condition ^medicat ^medicin ^medicijn "
      "^medikament ^drug ^treatment ^therap ^behandel ^behandlung ^traitement ^tratamiento =cura "
      "^ziekte ^krankheit ^maladie ^enfermedad ^malattia ^doenca =hiv ^disabilit ^behinderung "
      "^handicap ^allerg ^blood ^blut ^bloed ^pregnan ^schwanger ^zwanger ^diabet ^insulin "
      "^glucose ^cancer ^krebs ^kanker ^hospital",
      KN_ROLE_SENSITIVE, KN_PROPOSE_NONE, 0, "the name suggests health data" },
    { "^salar ^income ^wage ^earning ^salaris ^inkomen =loon ^gehalt ^einkommen ^lohn ^revenu "
      "=ingresos ^reddito ^stipend ^sueldo ^renda ^debt ^schuld ^credit ^wealth ^vermogen "
      "^balance ^saldo",
      KN_ROLE_SENSITIVE, KN_PROPOSE_NONE, 0, "the name suggests financial data" },
    { "^religi ^godsdienst ^faith ^glaube ^konfession ^crime ^criminal ^convict ^offence ^offense "
      "^misdaad ^delict ^straftat ^delit ^delito ^reato ^politic ^politiek ^partei ^vote ^union "
      "^vakbond ^gewerkschaft ^orientation ^sexual ^geaardheid",
      KN_ROLE_SENSITIVE, KN_PROPOSE_NONE, 0, "the name suggests something private" },

    { "=zip ^zipc ~postcode ^postal ^postleitzahl =plz =cap ^codepostal ^codigopostal "
      "^codicepostale ^postnummer",
      KN_ROLE_QUASI, KN_PROPOSE_MASK, 0, "a postcode is easy to know about a person" },
    { "=lat =lon =long =lng ^latitu ^longitu ^coordin ^koordin ^gps ^breitengrad ^langengrad "
      "^laengengrad ^breedtegraad ^lengtegraad",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "a position is easy to know about a person" },
    { "=city ^town =place ^birthplace ^region ^country ^county =state ^province ^provinz "
      "^municipal ^district ^neighbo ^village ^location =stad =plaats ^woonplaats ^gemeente "
      "^provincie ^wijk ^buurt =land =stadt ^stadtteil =ort ^wohnort ^gemeinde ^bundesland "
      "^landkreis =kreis ^kanton ^ville ^commune ^departement ^lieu =pays ^ciudad ^localidad "
      "^municipio ^provincia =pais ^citta =comune ^regione ^paese ^quartiere ^cidade ^miasto "
      "^kommun",
      KN_ROLE_QUASI, KN_PROPOSE_PLACE, 0, "a place is easy to know about a person" },
    { "~birth =dob =yob =born ~geboort ~geburt =jahrgang ^naissance ^nacimiento ^nascita "
      "^nascimento ^fodelse",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "birth is easy to know about a person" },
    { "=age ^agegroup =leeftijd =alter ^altersgruppe =edad =eta =idade =alder ^lebensalter",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "age is easy to know about a person" },
    { "=sex ~gender ^geslacht ^geschlecht =sexe =sexo =sesso ^genere =genero =genre ^plec",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "sex is easy to know about a person" },
    { "=race ~ethnic =ras ^etni ^herkomst ^herkunft ^origin =raza ^hautfarbe", KN_ROLE_QUASI,
      KN_PROPOSE_AUTO, 0, "origin is easy to know about a person (some laws call it sensitive)" },
    { "~marital ^marriage ^married ^relationship ^burgerlijk ^huwelijk ^familienstand "
      "^zivilstand ^etatcivil ^estadocivil ^statocivile ^civil ^household ^haushalt ^huishouden "
      "^spouse ^children ^kinder",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "family status is easy to know about a person" },
    { "~nationali ^citizen ^staatsang ^staatsburger ^nacionalidad ^cittadinanza ^nazionalita "
      "^native ^language ^taal =sprache ^muttersprache ^langue ^idioma ^lingua",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "nationality is easy to know about a person" },
    { "^educat ^degree ^school ^study ^opleiding ^onderwijs ^ausbildung ^bildung ^schule "
      "^schulabschluss ^diplom ^etudes ^formation ^educacion ^estudios ^istruzione ^titolo",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "education is easy to know about a person" },
    { "=job ^jobtitle ^occupation ^profession ^workclass ^work ^employ ^career ^beroep ^functie "
      "=baan ^werk ^beruf ^arbeit ^metier ^emploi ^trabajo ^profesion ^ocupacion ^lavoro "
      "^mestiere ^profissao ^industry ^sector ^branche",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "work is easy to know about a person" },
    { "=weight ^bodyweight =height ^bodyheight =bmi ^gewicht ^korpergewicht =grosse =grose "
      "^korpergro =lengte ^lichaams ^poids =taille =peso ^altura ^estatura ^altezza ^statura",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "body measures can be known about a person" },
    { "^admission ^admitted ^discharge ^visit ^appointment ^aufnahme ^entlassung ^besuch =termin "
      "^opname ^ontslag ^bezoek ^sortie ^rendezvous ^ingreso =alta =cita "
      "^ricovero ^dimissione",
      KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0, "others may know when a person was where" },
    { "^date ~datum ^fecha", KN_ROLE_QUASI, KN_PROPOSE_AUTO, 0,
      "a date can be known about a person" },

    { "$name =names ^namen ^nameof $naam =nom =nombre =nome =namn =imie ^nazwisko",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0, "the name suggests a person's name" },
    { "=id ^identif ^patient ^customer ^klant ^kunde ^client ^member ^kennung", KN_ROLE_IDENTIFIER,
      KN_PROPOSE_NONE, 0, PERSON_NUMBER },
    { "=key =nr =no =num ^number ^nummer ^numero ^record ^index", KN_ROLE_IDENTIFIER,
      KN_PROPOSE_NONE, MOSTLY_UNIQUE, OWN_NUMBER },
    { "^description ~beschreibung ^descripcion ^descrizione ^omschrijving ~beschrijving",
      KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, 0,
      "the name suggests free text, which may name people" },
};

/* --- proposals --------------------------------------------------------------------------------- */

static double
uniqueness(const kn_seen *seen)
{
    uint64_t rows = seen->full ? seen->until : seen->filled;

    return rows ? (double) seen->distinct / (double) rows : 0;
}

bool
kn_nearly_unique(const kn_seen *seen)
{
    return seen->full || (seen->filled >= 10 && uniqueness(seen) >= NEARLY_UNIQUE);
}

static kn_proposal
say(kn_role role, kn_proposal_kind hierarchy, const char *reason)
{
    return (kn_proposal){ role, hierarchy, KN_REASON_TEXT, reason };
}

static kn_proposal
propose_without_name(const kn_seen *seen)
{
    if (seen->type == KN_TYPE_DATE)
        return say(KN_ROLE_QUASI, KN_PROPOSE_AUTO, "a date can be known about a person");
    if (kn_nearly_unique(seen)) /* a position, an amount to the cent, a number of a record */
        return (kn_proposal){ KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE, KN_REASON_UNIQUE, "" };
    if (seen->type == KN_TYPE_STRING && seen->length > LONG_TEXT && seen->filled >= 10
        && uniqueness(seen) >= MOSTLY_UNIQUE)
        return say(KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE,
                   "long free text may name people; give it another role if you need it");
    if (seen->distinct <= 1)
        return say(KN_ROLE_INSENSITIVE, KN_PROPOSE_NONE, "all rows have the same value");
    return say(KN_ROLE_INSENSITIVE, KN_PROPOSE_NONE,
               "please decide (quasi if others can know it, sensitive if they must not)");
}

/* "zip code" is also "zipcode" */
static void
join(const char *name, char joined[NAME_MOST + 4])
{
    size_t len = 0;

    joined[len++] = ' ';
    for (const char *c = name; *c; c++)
        if (*c != ' ')
            joined[len++] = *c;
    joined[len++] = ' ';
    joined[len] = 0;
}

kn_proposal
kn_propose(const kn_seen *seen)
{
    char name[NAME_MOST + 4], joined[NAME_MOST + 4];
    bool numbers = false;

    fold(seen->name, name);
    join(name, joined);
    for (size_t i = 0; i < KN_COUNT(rules); i++)
        if (uniqueness(seen) >= rules[i].least_unique
            && (matches(name, rules[i].patterns) || matches(joined, rules[i].patterns))) {
            if (rules[i].reason != STREET || seen->type != KN_TYPE_NUMBER)
                return say(rules[i].role, rules[i].hierarchy, rules[i].reason);
            numbers = true; /* no street: another word of the name may fit better */
        }
    if (numbers) /* careful all the same: it may be the number of one */
        return say(KN_ROLE_IDENTIFIER, KN_PROPOSE_NONE,
                   "the name suggests an address, but the values are numbers; give it another role "
                   "if it is not one");
    return propose_without_name(seen);
}

/* The rule by the name alone; NULL: it says nothing. */
static const rule *
rule_of(kn_str column)
{
    char name[NAME_MOST + 4], joined[NAME_MOST + 4];

    fold(column, name);
    join(name, joined);
    for (size_t i = 0; i < KN_COUNT(rules); i++)
        if (matches(name, rules[i].patterns) || matches(joined, rules[i].patterns))
            return &rules[i];
    return NULL;
}

bool
kn_repeats_like_persons(uint64_t values, uint64_t rows)
{
    return rows >= REPEATED_ROWS_LEAST && (double) values <= REPEATED_FEWER * (double) rows
        && (double) rows <= REPEATED_MOST * (double) values;
}

bool
kn_may_tell_persons(kn_str column)
{
    const rule *found = rule_of(column);

    return !found || found->reason == PERSON_NUMBER || found->reason == OWN_NUMBER;
}

bool
kn_stops_at_odd(const kn_seen *seen)
{
    kn_proposal proposal = kn_propose(seen);

    return seen->odd && proposal.role == KN_ROLE_QUASI && proposal.hierarchy != KN_PROPOSE_MASK;
}
