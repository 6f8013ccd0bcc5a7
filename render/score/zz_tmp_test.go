package score
import ("testing";"fmt")
func TestZZ(t *testing.T){ for _,r:=range Methodology(){ fmt.Printf("%s | %s | %s\n", r.ID, r.Meaning, r.Advice)} }
