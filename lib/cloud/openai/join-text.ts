// Content as all formats have it: a text, or parts with texts.
export function joinText(content: string | readonly { text: string }[] | null | undefined): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
