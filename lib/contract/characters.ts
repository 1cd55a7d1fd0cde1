// The length of a text as people count it: an emoji outside the basic plane is one character, not two.
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
