package personal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-register/assay/build/profile/concept"
	"github.com/assay-register/assay/build/profile/infer"
	"github.com/assay-register/assay/build/profile/table"
)

func TestOfHeader(t *testing.T) {
	for class, names := range map[Class]string{
		Email:      "email|E-Mail-Adresse|adresse_email|contactEmail|correo electrónico|ηλεκτρονικό ταχυδρομείο|имейл|sähköposti",
		Phone:      "Telefonnummer|tel.|mobile_no|téléphone|τηλέφωνο|телефон|puhelinnumero|fax",
		FullName:   "full_name|Ansprechpartnerin|nom du maire|ονοματεπώνυμο|contact person|imię i nazwisko|created_by|Direttore",
		GivenName:  "firstName|Vorname|prénom|voornaam|imię|собствено име|fornavn",
		FamilyName: "lastName|SURNAME|Nachname|nom de famille|apellidos|επώνυμο|nazwisko|фамилия|sukunimi",
		NationalID: "ΑΜΚΑ|PESEL|codice fiscale|personnummer|numéro de sécurité sociale|ЕГН|passport number|National ID",
		BirthDate:  "date_of_birth|Geburtsdatum|date de naissance|ημερομηνία γέννησης|dob|syntymäaika",
		Address:    "address|Straße|dirección|διεύθυνση|street name|адрес",
		IBAN:       "IBAN|bank_account|τραπεζικός λογαριασμός",
		Plate:      "licence_plate|Kennzeichen|αριθμός κυκλοφορίας|immatriculation",
		Sex:        "sex|Geschlecht|φύλο|пол",
		Sensitive:  "diagnosis|religion|θρήσκευμα|ethnic group",
		Name:       "name|Nom|ονομα|título",
		Entity:     "company_name|raison sociale|φορέας|organisation|school name|Behördenname",
		Place:      "municipality|Gemeindename|nom_commune|δήμος|stop name|country",
		Category:   "type|κατηγορία|Status|format",
		Measure:    "population|Einwohnerzahl|number of patients|πληθυσμός|nombre de logements|max",
		Moment:     "date|year|Stichtagsdatum|ημερομηνία",
		Identifier: "id|station_id|Gemeindeschlüssel|κωδικός|url|codigo postal",
		"":         "foo|q7|Wibble",
	} {
		for _, name := range strings.Split(names, "|") {
			if got := OfHeader(name); got != class {
				t.Errorf("%q is %q, want %q", name, got, class)
			}
		}
	}
}

func TestNationalID(t *testing.T) {
	for country, numbers := range map[string]string{
		"ES": "12345678Z X1234567L", "IT": "RSSMRA85T10A562S", "FR": "255081416802538", "GB": "AB123456C", "FI": "131052-308T", "PL": "44051401359",
		"BG": "7523169263", "RO": "1800101221144", "CZ": "7103192745", "SE": "811218-9876", "NO": "29029600013", "EE": "37605030299",
		"SI": "0101006500006", "BE": "85073003328", "CH": "756.9217.0769.85", "IE": "1234567T", "US": "078-05-1120",
	} {
		for _, n := range strings.Fields(numbers) {
			i := nationalID(n, true)
			if i < 0 {
				t.Errorf("%s: %q is none", country, n)
			}
			if last := n[len(n)-1]; last >= '0' && last <= '9' && country != "US" {
				wrong := n[:len(n)-1] + string('0'+(last-'0'+1)%10)
				if j := nationalID(wrong, true); j >= 0 && nationalSchemes[j].country == country {
					t.Errorf("%s: %q passes", country, wrong)
				}
			}
		}
	}
	for _, n := range []string{"", "12345", "11111111111", "hello world", "00000000000", strings.Repeat("1", 400)} {
		if nationalID(n, false) >= 0 {
			t.Errorf("%q passes", n)
		}
	}
	for n, want := range map[string]string{"86095742719": "DE", "94577403194": "HR", "10000000146": "TR", "111222333": "NL", "9434765919": "GB", "ΑΒ123456": "GR"} {
		if i := nationalID(n, false); i < 0 {
			t.Errorf("%s: %q is none", want, n)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name      string
		is        func(string) bool
		good, bad string
	}{
		{"email", isEmail, "a@b.gr|MAILTO:x.y@z.example.org", "a@b|a b@c.gr|https://x.example/@me"},
		{"phone", isPhone, "+30 210 1234567|(030) 123-4567|0049 30 1234567|030/1234567", "12345|2024-01-05|12.345.678|1234567"},
		{"iban", isIBAN, "DE89 3704 0044 0532 0130 00|GB29NWBK60161331926819", "DE89370400440532013001|DE8937|XX"},
		{"ip", isIP, "192.168.1.1|2001:db8::1", "1.2.3|12:30|1.2.3.400"},
	} {
		for _, v := range strings.Split(c.good, "|") {
			if !c.is(v) {
				t.Errorf("%s: %q is none", c.name, v)
			}
		}
		for _, v := range strings.Split(c.bad, "|") {
			if c.is(v) {
				t.Errorf("%s: %q passes", c.name, v)
			}
		}
	}
}

func TestMaskAndRedact(t *testing.T) {
	for text, want := range map[string]string{"Maria Papadopoulou": "Xxxx Xxxx", "+30 210-1234567": "+## ###-#######", "Γεωργία": "Xxxx", "a.b@c.gr": "x.x@x.xx", "Ö’Neill 😀": "X*Xxxx *", "": "", "é": "x"} {
		if got := Mask(text); got != want {
			t.Errorf("%q is masked as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"Write to maria.p@example.gr.":           "Write to xxxx.x@xxxx.xx.",
		"Call +30 210 1234567 today":             "Call +## ### #######today",
		"Pay DE89 3704 0044 0532 0130 00 please": "Pay XX## #### #### #### #### ## please",
		"PESEL 44051401359":                      "PESEL ###########",
		"In 2024 there were 12345678 visits":     "In 2024 there were 12345678 visits",
	} {
		if got := Redact(text); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestMaskForgets: texts of one shape have one mask.
func TestMaskForgets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(rt, "n")
		letters := rapid.StringOfN(rapid.RuneFrom([]rune("abcxyzéłωж")), n, n, -1).Draw(rt, "letters")
		digits := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789")), 5, 5, -1).Draw(rt, "digits")
		if got := Mask(letters + " " + digits); got != "xxxx #####" {
			rt.Fatalf("%q is masked as %q", letters+" "+digits, got)
		}
	})
}

func TestPrivateAndNames(t *testing.T) {
	for _, s := range []string{"a@b.gr", "+30 210 1234567", "44051401359", "DE89370400440532013000", "192.168.1.1", "2101234567"} {
		if !Private(s) {
			t.Errorf("%q is not private", s)
		}
	}
	for _, s := range []string{"name", "2024", "Total population", "value_2", "A1", ""} {
		if Private(s) {
			t.Errorf("%q is private", s)
		}
	}
	for _, s := range []string{"Maria Papadopoulou", "PAPADOPOULOU MARIA", "Ludwig van Beethoven", "Γιώργος Παπαδόπουλος", "Kowalski"} {
		if !LooksLikeName(s) {
			t.Errorf("%q does not look like a name", s)
		}
	}
	for _, s := range []string{"Total population", "City of Athens", "Example GmbH", "3 apples", "lower case", "Stadtwerke Neustadt", ""} {
		if LooksLikeName(s) {
			t.Errorf("%q looks like a name", s)
		}
	}
}

// classes infers and classes a table that is written as names and rows.
func classes(names string, rows ...string) (string, string, []string) {
	b := table.NewBuilder("csv", table.DefaultLimits, nil)
	for _, n := range strings.Split(names, "|") {
		b.Declare(table.Column{Name: n})
	}
	for _, r := range rows {
		var cells []table.Cell
		for _, v := range strings.Split(r, "|") {
			cells = append(cells, table.Cell{Kind: table.Text, Text: v})
		}
		b.Row(cells)
	}
	inferred := infer.Columns(b.Table())
	columns := make([]Column, len(inferred))
	for i := range inferred {
		columns[i] = Column{Column: &inferred[i], Concept: concept.Match(inferred[i].Name, inferred[i].Values)}
	}
	verdicts, data := Classify(columns)
	var list []string
	for _, v := range verdicts {
		text := string(v.Class)
		if v.Mask {
			text = "!" + text
		}
		list = append(list, text)
	}
	return data.Status + " " + data.Publication, data.Grain, list
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		what, names string
		rows        []string
		status      string
		grain       string
		classes     string
	}{
		{"counts by sex are not about a person", "sex|age|count", []string{"F|0-4|120", "M|0-4|130", "F|5-9|110", "M|5-9|99"}, "none shown", GrainAggregate, "sex age measure"},
		{"deaths by diagnosis are not either", "diagnosis|year|deaths", []string{"I21|2020|10", "I22|2020|20", "C34|2021|30"}, "none shown", GrainAggregate, "sensitive time measure"},
		{"a patient's diagnosis is withheld", "patient_id|diagnosis|date_of_birth", []string{"P1|I21|1980-01-01", "P2|C34|1970-05-05"}, "personal withheld", GrainPerson, "!national_id !sensitive !birth_date"},
		{"names of organisations are shown", "name|turnover", []string{"Alpha GmbH|10", "Ministry of Health|20", "Beta SA|30"}, "none shown", GrainEntity, "entity measure"},
		{"names of persons are not", "name|turnover", []string{"Maria Schmidt|10", "Anna Nowak|20", "Hans Weber|30"}, "personal masked", GrainPerson, "!full_name measure"},
		{"what may be either is masked", "name|turnover", []string{"Alpha Beta|10", "Gamma Delta|20", "Omega Psi|30"}, "possible masked", GrainUndetermined, "!undecided measure"},
		{"the address of a school is shown", "school|address|principal", []string{"School A|Main street 1|Maria Schmidt", "School B|Side road 2|Anna Nowak"}, "personal masked", GrainEntity, "entity address !full_name"},
		{"a bare name beside a given one is the family's", "Prénom|Nom|Profession", []string{"Marie|Durand|Médecin", "Jean|Caradec|Médecin", "Claire|Vasseur|Avocate", "Luc|Salvignac|Avocate"}, "personal masked", GrainPerson, "!given_name !family_name !status"},
		{"that of a person is not", "surname|first_name|address|city", []string{"Schmidt|Maria|Main street 1|Berlin", "Nowak|Anna|Side road 2|Berlin"}, "personal masked", GrainPerson, "!family_name !given_name !address !trait"},
		{"an unknown long number may be a telephone", "foo|value", []string{"6912345678|1", "6987654321|2", "6999999990|3"}, "possible masked", GrainUndetermined, "!undecided measure"},
		{"a long number that is counted is none", "population|value", []string{"21012345|1", "21076543|2", "21099999|3"}, "none shown", GrainAggregate, "measure measure"},
		{"keys of stations are shown", "station_id|value", []string{"ATHENS-1|1", "VOLOS-22|2"}, "none shown", GrainAggregate, "identifier measure"},
		{"keys that are national numbers are not", "id|value", []string{"44051401359|1", "02070803628|2"}, "personal masked", GrainPerson, "!national_id measure"},
		{"sole traders in a list of companies", "company|vat", []string{"Maria Schmidt|DE136695976", "Anna Nowak|DE129273398", "Hans Weber|DE811128135"}, "possible masked", GrainUndetermined, "!undecided identifier"},
		{"e-mail sent is a flag", "email sent|region", []string{"yes|North", "no|South"}, "none shown", GrainEntity, "category place"},
		{"numbers of employees", "employees|manager", []string{"12|Maria Schmidt", "24|Anna Nowak"}, "personal masked", GrainPerson, "measure !full_name"},
		{"account numbers pass their check", "x", []string{"DE89370400440532013000", "GB29NWBK60161331926819"}, "personal masked", GrainUndetermined, "!iban"},
		{"addresses of machines", "x", []string{"192.168.1.1", "10.0.0.1"}, "personal masked", GrainUndetermined, "!ip"},
		{"a repeated short code", "foo|n", []string{"aa|1", "bb|2", "aa|3", "bb|4", "aa|5", "bb|6", "aa|7", "bb|8"}, "none shown", GrainAggregate, "category measure"},
	} {
		status, grain, list := classes(c.names, c.rows...)
		if status != c.status || grain != c.grain || strings.Join(list, " ") != c.classes {
			t.Errorf("%s: %s, %s, %v; want %s, %s, %s", c.what, status, grain, list, c.status, c.grain, c.classes)
		}
	}
}

func TestAPIFieldsSayNothingAboutValues(t *testing.T) {
	open := func(names ...string) string {
		columns := make([]Column, len(names))
		for i, n := range names {
			columns[i] = Column{Open: true, Column: &infer.Column{Column: table.Column{Name: n}, Type: infer.String}}
		}
		_, data := Classify(columns)
		return data.Status
	}
	if got := []string{open("id", "value"), open("id", "surname")}; !cmp.Equal(got, []string{"", StatusPersonal}) {
		t.Errorf("%q", got)
	}
}

// TestVocabulary: every class of the table is one of the order, every phrase
// has a letter.
func TestVocabulary(t *testing.T) {
	known := map[string]bool{}
	for _, c := range order {
		known[string(c)] = true
	}
	for i, line := range lines("headers.tsv") {
		class, list, _ := strings.Cut(line, "\t")
		if !known[class] {
			t.Errorf("headers.tsv:%d: class %q", i+2, class)
		}
		for _, phrase := range strings.Split(list, "|") {
			if strings.Trim(phrase, "* ") == "" || phrase != strings.TrimSpace(phrase) {
				t.Errorf("headers.tsv:%d: %q", i+2, phrase)
			}
		}
	}
	if !givenNames()["maria"] || !entityWords()["gmbh"] || givenNames()["fr"] {
		t.Error("the tables of names are not read as they should be")
	}
}
