// The list of pictures, or of windows to review. It makes only the rows in sight, so
// that a folder may have a hundred thousand.

const height = 64;

export class List {
  constructor(scroller, rows, choose) {
    this.scroller = scroller;
    this.rows = rows;
    this.choose = choose;
    this.items = [];
    this.made = new Map();
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(scroller);
  }

  // set shows other items. Each has a key, a title, a text, a state and a picture.
  set(items) {
    this.items = items;
    this.rows.style.height = `${items.length * height}px`;
    this.draw();
  }

  setCurrent(key, scroll) {
    this.current = key;
    const i = this.items.findIndex((item) => item.key === key);
    if (scroll && i >= 0) {
      const top = i * height, { scrollTop, clientHeight } = this.scroller;
      if (top < scrollTop || top + height > scrollTop + clientHeight) this.scroller.scrollTop = top - clientHeight / 2 + height / 2;
    }
    this.draw();
  }

  draw() {
    const from = Math.max(0, Math.floor(this.scroller.scrollTop / height) - 3);
    const to = Math.min(this.items.length, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / height) + 3);
    const seen = new Set();
    for (let i = from; i < to; i++) {
      const item = this.items[i];
      seen.add(item.key);
      let row = this.made.get(item.key);
      if (!row) {
        row = document.createElement("button");
        row.type = "button";
        row.append(document.createElement("img"), document.createElement("div"));
        row.lastChild.append(document.createElement("b"), document.createElement("i"));
        row.firstChild.alt = "";
        row.firstChild.src = item.image;
        row.addEventListener("click", () => this.choose(row.item));
        this.made.set(item.key, row);
        this.rows.append(row);
      }
      row.item = item;
      row.style.top = `${i * height}px`;
      row.className = item.state;
      row.title = item.title;
      row.lastChild.firstChild.textContent = item.title;
      row.lastChild.lastChild.textContent = item.text;
      row.setAttribute("aria-current", item.key === this.current);
    }
    for (const [key, row] of this.made) {
      if (!seen.has(key)) {
        row.firstChild.src = ""; // the download ends, if it goes on
        row.remove();
        this.made.delete(key);
      }
    }
  }
}
