// The marks of compared runs, by their places: outlines around the origin, as SVG paths.
const MARKS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'M-3.5-3.5h7v7h-7z',
  'M0-4.5L4.5 3.5h-9z',
  'M0-5L5 0L0 5L-5 0z',
  'M-1.5-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z',
  'M-4.5-3.5h9L0 4.5z',
];

export function markOf(place: number): string {
  return MARKS[place % MARKS.length]!;
}
