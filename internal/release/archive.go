package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"time"
)

// A member is a file of an archive.
type member struct {
	name string
	mode fs.FileMode
	data []byte
	link string // what it is a link to, in a tar archive
}

// epoch is the time of all files: the earliest that a ZIP archive can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// archive packs members into a folder called name, as a ZIP archive or as a
// compressed tar archive, and returns the file's name and bytes.
func archive(name string, zipped bool, members []member) (string, []byte, error) {
	if zipped {
		data, err := zipArchive(name, members)
		return name + ".zip", data, err
	}
	data, err := tarArchive(name, members)
	return name + ".tar.gz", data, err
}

func zipArchive(folder string, members []member) (_ []byte, err error) {
	defer caught(&err)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: folder + "/" + m.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(m.mode)
		get(get(w.CreateHeader(h)).Write(m.data))
	}
	check(w.Close())
	return b.Bytes(), nil
}

func tarArchive(folder string, members []member) (_ []byte, err error) {
	defer caught(&err)
	var b bytes.Buffer
	z := get(gzip.NewWriterLevel(&b, gzip.BestCompression))
	w := tar.NewWriter(z)
	for _, m := range members {
		h := &tar.Header{
			Name: folder + "/" + m.name, Mode: int64(m.mode), Size: int64(len(m.data)), ModTime: epoch, Format: tar.FormatPAX,
		}
		if m.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, m.link
		}
		check(w.WriteHeader(h))
		get(w.Write(m.data))
	}
	check(w.Close())
	check(z.Close())
	return b.Bytes(), nil
}
