// Shows what a run prints, as it comes. Loaded only once a run has output: the widths of letters are a tenth of the first page.
import type { ShallowRef } from 'vue';
import { emptyTerminal, isBeginningOf, printText, type TerminalText } from '../../lib/console/index.js';

export async function printOutput(
  output: ShallowRef<TerminalText | null>,
  { body }: Response,
  signal: AbortSignal,
): Promise<void> {
  const reader = body!.pipeThrough(new TextDecoderStream(), { signal }).getReader();
  let text = emptyTerminal;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text = printText(text, part.value);
    // Output that is read once more does not shrink to grow again, which would move whoever reads it.
    if (!output.value || !isBeginningOf(output.value, text)) output.value = text;
  }
  output.value = text;
}
