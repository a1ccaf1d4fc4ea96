package export

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Formats are the names of what [Export.Files] can write.
var Formats = []string{"c", "js", "tables", "arduino", "esp-idf", "openmv"}

// Files returns the files of a format, with paths that begin with the cascade's name as an
// identifier. In the profile Small, the cascade with its rounded numbers is among them.
func (e *Export) Files(ctx context.Context, format string) ([]File, error) {
	name := e.identifier()
	text := func(s string) func(io.Writer) error {
		s = strings.NewReplacer("NAME", name, "UPPER", strings.ToUpper(name), "NEIGHBORS", strconv.Itoa(e.headerData().Neighbors), "SUMMARY", e.summary()).Replace(s)
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	var files []File
	switch format {
	case "c":
		files = []File{{name + ".h", e.WriteC}}
	case "js":
		files = []File{{name + ".mjs", e.WriteJavaScript}}
	case "tables":
		all, err := e.Tables(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range all {
			files = append(files, File{name + "/" + f.Path, f.Write})
		}
		name += "/" + name
	case "arduino":
		files = []File{
			{name + "/library.properties", text(arduinoProperties)},
			{name + "/src/" + name + ".h", e.WriteC},
			{name + "/examples/Find/Find.ino", text(arduinoSketch)},
		}
		name += "/" + name
	case "esp-idf":
		files = []File{
			{name + "/CMakeLists.txt", text(idfLists)},
			{name + "/include/" + name + ".h", e.WriteC},
		}
		name += "/" + name
	case "openmv":
		return []File{{name + ".openmv.cascade", func(w io.Writer) error { return WriteOpenMV(w, e.c) }}}, nil
	default:
		return nil, fmt.Errorf("%w: format %q, want %s", ErrSettings, format, strings.Join(Formats, ", "))
	}
	if e.settings.Profile == Small {
		files = append(files, File{name + ".cascade", e.c.Encode})
	}
	return files, nil
}

const arduinoProperties = `name=NAME
version=1.0.0
author=haarlem train-cascade export
maintainer=haarlem train-cascade export
sentence=Finds objects in grey pictures: a trained cascade, in integers.
paragraph=SUMMARY.
category=Sensors
url=
architectures=*
includes=NAME.h
`

const arduinoSketch = `// Finds objects in a grey picture of 160x120 pixels, which a camera's driver fills.
// For boards whose program memory is read like any other: Arm, ESP32, RISC-V, not AVR.
#include <NAME.h>

static const int width = 160, height = 120;
static uint8_t grey[width * height];
static uint32_t scratch[UPPER_SCRATCH(width) / 4];
static NAME_window found[100];
static NAME_object objects[10];

void setup() { Serial.begin(115200); }

void loop() {
  // fill grey here
  int32_t n = NAME_find(grey, width, width, height, scratch, found, 100);
  n = NAME_group(found, n < 100 ? n : 100, NEIGHBORS, width, height, objects, 10);
  for (int32_t i = 0; i < n; i++) {
    Serial.print(objects[i].x);
    Serial.print(' ');
    Serial.print(objects[i].y);
    Serial.print(' ');
    Serial.println(objects[i].width);
  }
  delay(100);
}
`

const idfLists = `idf_component_register(INCLUDE_DIRS "include")
`
