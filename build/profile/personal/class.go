// Package personal finds the columns of a table that can tell who a person is,
// and masks their values. What it cannot decide is treated as personal
// (decisions, section 5, "Profile").
package personal

// Class says what a column can tell about a person, or why it cannot.
type Class string

// Classes that identify a person by themselves or with one other.
const (
	Email      Class = "email"
	Phone      Class = "phone"
	FullName   Class = "full_name"
	GivenName  Class = "given_name"
	FamilyName Class = "family_name"
	NationalID Class = "national_id"
	BirthDate  Class = "birth_date"
	Address    Class = "address"
	IP         Class = "ip"
	IBAN       Class = "iban"
	Plate      Class = "plate"
	Username   Class = "username"
)

// Classes that are personal in a table about persons only. Sensitive are the
// special categories of Regulation (EU) 2016/679, articles 9 and 10.
const (
	Sex         Class = "sex"
	Age         Class = "age"
	Nationality Class = "nationality"
	Status      Class = "status"
	Sensitive   Class = "sensitive"
	// PersonID is a key of a table about persons.
	PersonID Class = "person_id"
	// Trait is any other text, date or place in a table about persons.
	Trait Class = "trait"
)

// Undecided is treated as personal: its values are not shown as they are.
const Undecided Class = "undecided"

// Classes of columns that are not about a person.
const (
	Name       Class = "name"
	Entity     Class = "entity"
	Place      Class = "place"
	Category   Class = "category"
	Text       Class = "text"
	Measure    Class = "measure"
	Moment     Class = "time"
	Identifier Class = "identifier"
)

// identifying are the classes that are masked wherever they stand.
var identifying = map[Class]bool{Email: true, Phone: true, FullName: true, GivenName: true, FamilyName: true, NationalID: true,
	BirthDate: true, IP: true, IBAN: true, Plate: true, Username: true, PersonID: true, Undecided: true}

// traits are masked in a table about persons, and addresses unless the table is
// about organisations.
var traits = map[Class]bool{Sex: true, Age: true, Nationality: true, Status: true, Sensitive: true, Trait: true, Address: true}

// Personal tells whether the class is about a person.
func (c Class) Personal() bool { return identifying[c] || traits[c] }
