package unread

import (
	"fmt"
	"os"
	"testing"

	"haarlem/picture"
)

func TestUnread(t *testing.T) {
	heic := picture.Kind{Name: "HEIC picture", Convert: "heif-convert IN.heic OUT.jpg"}
	photoshop := picture.Kind{Name: "Photoshop picture", Convert: "magick IN OUT.png"}
	zeros := picture.Kind{Name: "file of zero bytes"}
	var u Files
	add := func(path string, err error) { u.Add(path, fmt.Errorf("%s: %w", path, err)) }
	add("a.heic", &picture.KindError{Kind: heic})
	add("cut.jpg", fmt.Errorf("%w: too short", picture.ErrDamaged))
	for _, name := range []string{"b.heic", "c\n.heic", "d.heic", "e.heic"} {
		add(name, &picture.KindError{Kind: heic})
	}
	add("zero.jpg", &picture.KindError{Kind: zeros})
	add("zeros.jpg", &picture.KindError{Kind: zeros})
	add("big.png", picture.ErrTooLarge)
	add("what", picture.ErrFormat)
	add("closed.png", os.ErrPermission)
	add("closed2.png", os.ErrPermission)
	add("a.psd", &picture.KindError{Kind: photoshop})
	const want = `5 HEIC pictures (a.heic, b.heic, "c\n.heic" and 2 more; to convert one: heif-convert IN.heic OUT.jpg), 1 damaged picture (cut.jpg), ` +
		`2 files of zero bytes (zero.jpg, zeros.jpg), 1 picture that is too large (big.png), 1 file that is not a picture (what), ` +
		`2 files that cannot be opened (closed.png, closed2.png), 1 Photoshop picture (a.psd; to convert it: magick IN OUT.png)`
	var all Files
	all.Add("first.psd", &picture.KindError{Kind: photoshop})
	all.Join(&u)
	if all.Count != 14 || len(all.Kinds) != len(u.Kinds) || all.Kinds[0].String() != "2 Photoshop pictures (first.psd, a.psd; to convert one: magick IN OUT.png)" {
		t.Errorf("joined: %d, %v", all.Count, all)
	}
	if got := u.String(); got != want || u.Count != 13 {
		t.Errorf("%d: %s\nwant %s", u.Count, got, want)
	}
}
