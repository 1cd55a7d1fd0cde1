// How long a text is for a person: an emoji outside of the first plane is one character, not two.
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
