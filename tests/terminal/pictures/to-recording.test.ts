import { expect, it } from 'vitest';
import { createEmulator } from '../support/emulator.js';
import { toRecording } from './to-recording.js';

async function screen(output: string, ms: number) {
  const emulator = createEmulator({ columns: 12, rows: 3 });
  emulator.write(output);
  await emulator.drawn();
  return { rows: emulator.cells(), ms };
}

it('shows each screen for its time, and draws what stands on several only once', async () => {
  const svg = toRecording(
    [await screen('same\r\none', 1000), await screen('same\r\n\u001b[31mtwo', 3000)],
    'A & B',
  );
  expect(svg).toContain('animation:film 4000ms');
  expect(svg).toMatch(/0%\{transform:translateX\((-0|0)px\)\}25%\{transform:translateX\(-\d+px\)\}/);
  expect(svg.match(/>same<\/text>/g)).toHaveLength(1);
  expect(svg.match(/<use href="#r0"/g)).toHaveLength(2);
  expect(svg).toMatch(/class="c1"[^>]*>two</);
  expect(svg).toContain('<title>A &#38; B</title>');
});

it('is drawn for both themes, and stands still for who wants no motion', async () => {
  const svg = toRecording([await screen('x', 1)], '');
  expect(svg).toContain('prefers-color-scheme:dark');
  expect(svg).toMatch(/prefers-reduced-motion:reduce\)\{\.film\{animation:none/);
});

it('gives every letter its cells, whatever the font', async () => {
  const svg = toRecording([await screen('翻訳 <\u001b[7m a', 1)], '');
  expect(svg).toMatch(/textLength="50.4"[^>]*>翻訳 &#60;</);
  expect(svg).toMatch(/<rect class="own" x="60.4"[^>]*\/><text class="i"/);
});
