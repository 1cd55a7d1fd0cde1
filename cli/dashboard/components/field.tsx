// A one-line text field. The cursor of ink-text-input can leave the text and cut a character in two, so it only gets the text
// before the cursor, types at its end, and is made anew when that changes.
import { Box, useInput } from 'ink';
import TextInput from 'ink-text-input';
import { useContext, useRef, useState } from 'react';
import { displayWidth, splitAtCursor, toTyped } from '../../../lib/console/index.js';
import { useShell } from '../dashboard-context.js';
import { CoveredContext } from '../terminal/look.js';
import { Line, Text } from './text.js';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly width: number;
  /** Keys are typed here, unless something in front of it takes them. */
  readonly isFocused?: boolean;
  /** Shown while it is empty and not focused. */
  readonly placeholder?: string;
}

export function Field({ value, onChange, isFocused: isWanted = true, placeholder, ...size }: FieldProps) {
  const isCovered = useContext(CoveredContext);
  const { question } = useShell();
  const isFocused = isWanted && !isCovered && question === null;
  const width = Math.max(1, size.width);
  // The cursor's place, counted from the end: it stays there while the text gets longer.
  const [behind, setBehind] = useState(0);
  if (behind > value.length) setBehind(value.length);
  const { before, last, atCursor, after, rest } = splitAtCursor(value, behind);
  const isHeld = useRef(false);
  useInput(
    (_input, key) => {
      isHeld.current = (key.ctrl || key.meta) && !key.escape;
      if (key.leftArrow) setBehind(behind + last.length);
      if (key.rightArrow) setBehind(behind - atCursor.length);
      if (key.home) setBehind(value.length);
      if (key.end) setBehind(0);
    },
    { isActive: isFocused },
  );

  /** After all have heard of the key: ink-text-input types the letter of a key that is held with Ctrl or Alt, too. */
  function type(text: string): void {
    queueMicrotask(() => {
      if (!isHeld.current) onChange(toTyped(text) + after);
    });
  }

  const hidden = Math.max(0, displayWidth(before) + displayWidth(atCursor || ' ') - width);
  return (
    <Box width={width} height={1} overflow="hidden" flexShrink={0}>
      <Box flexShrink={0} marginLeft={-hidden}>
        <Line width={displayWidth(value) + 1}>
          <TextInput key={before} value={before} focus={isFocused} showCursor={false} onChange={type} />
          <Text inverse={isFocused}>{atCursor || (isFocused ? ' ' : '')}</Text>
          <Text>{rest}</Text>
          {!isFocused && value === '' && <Text dim>{placeholder}</Text>}
        </Line>
      </Box>
    </Box>
  );
}
