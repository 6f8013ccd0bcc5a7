package concept

import "github.com/assay-register/assay/build/profile/words"

// Axis is the coordinate that a column holds.
type Axis string

// Axes of a position in degrees.
const (
	Latitude  Axis = "latitude"
	Longitude Axis = "longitude"
)

var axes = map[Axis][]string{
	Latitude:  hints("lat|latitude|latitud|latitudine|breitengrad|breite|szerokosc geograficzna|γεωγραφικο πλατος|πλατος|ширина|geo lat|leveysaste|breddegrad"),
	Longitude: hints("lon|lng|long|longitude|longitud|longitudine|langengrad|lange|dlugosc geograficzna|γεωγραφικο μηκος|μηκος|дължина|geo lon|pituusaste|lengdegrad"),
}

// AxisOf returns the coordinate that the name of a column says, or the empty
// string. Whether its values are in range is the caller's to check.
func AxisOf(name string) Axis {
	list := words.Split(name)
	for _, axis := range []Axis{Latitude, Longitude} {
		for _, h := range axes[axis] {
			if words.Has(list, h) {
				return axis
			}
		}
	}
	return ""
}
