// Messages set code between backticks, which is shown as code.

interface TextPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** No white space at its ends, so that a lone backtick begins nothing. */
const CODE = /(`[^`\s](?:[^`\n]*[^`\s])?`)/;

/** ``Run `svc login`.`` as text and code, without the backticks. One that has no other stays. */
export function codeParts(text: string): TextPart[] {
  return text
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1 ? { text: part.slice(1, -1), isCode: true } : { text: part, isCode: false },
    )
    .filter(part => part.text !== '');
}
