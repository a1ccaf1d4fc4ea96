// What makes a face unrecognisable.

// The margin around a face that is made unrecognisable too, and how many
// squares are left of the width of both: too few to know somebody by, and too
// few for the model to find a face again.
const margin = 0.25, squares = 5;

// pixelate replaces an ellipse around the face by the mean colours of squares.
export function pixelate(image, f) {
  const x0 = Math.floor(f.x - margin * f.width), y0 = Math.floor(f.y - margin * f.height);
  const w = Math.ceil(f.width * (1 + 2 * margin)), h = Math.ceil(f.height * (1 + 2 * margin));
  const cell = Math.max(6, Math.ceil(w / squares));
  const { data, width, height } = image;
  for (let cy = y0; cy < y0 + h; cy += cell) {
    for (let cx = x0; cx < x0 + w; cx += cell) {
      // A square is replaced as a whole if its middle lies in the ellipse.
      const u = (cx + cell / 2 - x0 - w / 2) / (w / 2), v = (cy + cell / 2 - y0 - h / 2) / (h / 2);
      if (u * u + v * v > 1.2) continue;
      const left = Math.max(cx, 0), top = Math.max(cy, 0);
      const right = Math.min(cx + cell, width), bottom = Math.min(cy + cell, height);
      let r = 0, g = 0, b = 0, n = 0;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const i = 4 * (y * width + x);
          r += data[i];
          g += data[i + 1];
          b += data[i + 2];
          n++;
        }
      }
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const i = 4 * (y * width + x);
          data[i] = r / n;
          data[i + 1] = g / n;
          data[i + 2] = b / n;
        }
      }
    }
  }
}
