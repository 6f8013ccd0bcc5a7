package catalog

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// setters are the fields that a curator may override, each with the place its
// value goes to.
var setters = map[string]func(*Entry) any{
	"name":              func(e *Entry) any { return &e.Name },
	"name_en":           func(e *Entry) any { return &e.NameEn },
	"native_lang":       func(e *Entry) any { return &e.NativeLang },
	"description":       func(e *Entry) any { return &e.Description },
	"description_en":    func(e *Entry) any { return &e.DescriptionEn },
	"homepage_url":      func(e *Entry) any { return &e.HomepageURL },
	"docs_url":          func(e *Entry) any { return &e.DocsURL },
	"repo_url":          func(e *Entry) any { return &e.RepoURL },
	"logo_url":          func(e *Entry) any { return &e.LogoURL },
	"tags":              func(e *Entry) any { return &e.Tags },
	"formats":           func(e *Entry) any { return &e.Formats },
	"themes":            func(e *Entry) any { return &e.Themes },
	"country_code":      func(e *Entry) any { return &e.CountryCode },
	"institution_id":    func(e *Entry) any { return &e.InstitutionID },
	"free_access_class": func(e *Entry) any { return &e.FreeAccessClass },
	"auth_type":         func(e *Entry) any { return &e.AuthType },
	"license_id":        func(e *Entry) any { return &e.LicenseID },
	"third_party":       func(e *Entry) any { return &e.ThirdParty },
	"contact":           func(e *Entry) any { return &e.Contact },
}

// OverridableFields lists, sorted, the fields that a curator may edit.
func OverridableFields() []string {
	fields := make([]string, 0, len(setters))
	for f := range setters {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	return fields
}

// Validate checks the override alone: a known field and a value of its type.
func (o *Override) Validate() error {
	var scratch Entry
	if err := o.apply(&scratch); err != nil || scratch.Contact == nil {
		return err
	}
	return scratch.Contact.validate()
}

// validate checks a contact that somebody writes; those of records are as they are.
func (c *Contact) validate() error {
	if c.Name == "" && c.URL == "" && c.Email == "" {
		return &FieldError{"contact", "", "give a name, an address of mail or one of the web"}
	}
	if err := CheckText("contact", c.Name, NameMax); err != nil {
		return err
	}
	if c.Email != "" {
		if err := CheckMail("contact", c.Email); err != nil {
			return err
		}
	}
	if c.URL == "" {
		return nil
	}
	return CheckURL("contact", c.URL)
}

func (o *Override) apply(e *Entry) error {
	place, ok := setters[o.Field]
	if !ok {
		return &FieldError{"field", o.Field, "use one of the overridable fields"}
	}
	// A fresh value, as decoding into a list would write into the harvested one.
	field := reflect.ValueOf(place(e)).Elem()
	value := reflect.New(field.Type())
	if err := json.Unmarshal(o.Value, value.Interface()); err != nil {
		return fmt.Errorf("override %s: %w", o.ID, &FieldError{o.Field, string(o.Value), "give a value of the field's type"})
	}
	field.Set(value.Elem())
	return nil
}

// Apply returns the entry with the curator's overrides in force laid over the
// harvested values, the later one winning. Neither the entry itself nor the
// list is changed.
func Apply(e Entry, overrides []Override) (Entry, error) {
	overrides = slices.Clone(overrides)
	slices.SortFunc(overrides, func(a, b Override) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	for i := range overrides {
		if !overrides[i].RevokedAt.IsZero() {
			continue
		}
		if err := overrides[i].apply(&e); err != nil {
			return e, err
		}
	}
	return e, nil
}
