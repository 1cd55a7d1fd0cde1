// A one-line text field. The cursor of ink-text-input can leave the text and split a character, so it gets
// only the text before the cursor, always types at its end, and is remounted when that text changes.
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
  /** Receives typed text, unless something in front of it does. */
  readonly isFocused?: boolean;
  /** Shown while the field is empty and not focused. */
  readonly placeholder?: string;
}

export function Field({ value, onChange, isFocused: isWanted = true, placeholder, ...size }: FieldProps) {
  const isCovered = useContext(CoveredContext);
  const { question } = useShell();
  const isFocused = isWanted && !isCovered && question === null;
  const width = Math.max(1, size.width);
  // The cursor's distance from the end, which stays the same while text is inserted before it.
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

  /**
   * Deferred until all handlers have seen the key, because ink-text-input also types letters pressed with
   * Ctrl or Alt.
   */
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
