package settings

import (
	"reflect"
	"testing"

	"haarlem/cascade"
)

// Every field of cascade.Search has a setting, which sets it and nothing else.
func TestAllFields(t *testing.T) {
	kind := reflect.TypeFor[cascade.Search]()
	if len(All) != kind.NumField() {
		t.Fatalf("%d settings for %d fields", len(All), kind.NumField())
	}
	for i, f := range All {
		text := "2"
		if f.Field == "ScaleBias" {
			text = "2,2,2"
		}
		var s cascade.Search
		if err := f.Set(&s, text); err != nil || f.Field != kind.Field(i).Name || reflect.ValueOf(s).Field(i).IsZero() || !f.Is(&s) {
			t.Errorf("%s sets %+v, %v; want %s", f.Flag, s, err, kind.Field(i).Name)
		}
		reflect.ValueOf(&s).Elem().Field(i).SetZero()
		if s != (cascade.Search{}) {
			t.Errorf("%s also sets %+v", f.Flag, s)
		}
		if f.Set(&s, "x") == nil || Flag(f.Field) != f.Flag {
			t.Errorf("%s takes x", f.Flag)
		}
	}
}
