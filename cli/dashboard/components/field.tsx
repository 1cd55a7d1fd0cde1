// A one-line text field. The cursor of ink-text-input can leave the text and split a character, so it gets
// only the text before the cursor, always types at its end, and is remounted with every key that it must not
// act on. Ink measures all that it is given, so both get only what fits around the cursor.
import { Box, type Key, useInput } from 'ink';
import TextInput from 'ink-text-input';
import { useContext, useRef, useState } from 'react';
import {
  displayWidth,
  firstWord,
  lastWord,
  splitAtCursor,
  takeEnd,
  takeWidth,
  toTyped,
} from '../../../lib/console/index.js';
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
  const [heldKeys, setHeldKeys] = useState(0);
  useInput(
    (input, key) => {
      isHeld.current = key.delete || isWithHeldKey(key);
      if (isHeld.current) setHeldKeys(heldKeys + 1);
      const byWord = isWithHeldKey(key);
      if (key.leftArrow || (key.meta && input === 'b'))
        setBehind(behind + (byWord ? lastWord(before) : last).length);
      if (key.rightArrow || (key.meta && input === 'f'))
        setBehind(behind - (byWord ? firstWord(after) : atCursor).length);
      if (key.home) setBehind(value.length);
      if (key.end) setBehind(0);
      if (key.delete || (key.meta && input === 'd')) {
        const kept = after.slice((byWord ? firstWord(after) : atCursor).length);
        setBehind(kept.length);
        onChange(before + kept);
      }
      if (key.backspace && byWord) onChange(before.slice(0, before.length - lastWord(before).length) + after);
    },
    { isActive: isFocused },
  );

  const cursor = atCursor || ' ';
  const near = takeEnd(before, width - displayWidth(cursor)) || last;
  const beyond = takeWidth(rest, width);

  /**
   * Deferred until all handlers have seen the key, because ink-text-input also types letters pressed with
   * Ctrl or Alt, and takes Delete for Backspace.
   */
  function type(text: string): void {
    queueMicrotask(() => {
      if (!isHeld.current) onChange(before.slice(0, before.length - near.length) + toTyped(text) + after);
    });
  }

  const hidden = Math.max(0, displayWidth(near) + displayWidth(cursor) - width);
  return (
    <Box width={width} height={1} overflow="hidden" flexShrink={0}>
      <Box flexShrink={0} marginLeft={-hidden}>
        <Line width={displayWidth(near + cursor + beyond)}>
          <TextInput
            key={`${heldKeys} ${before}`}
            value={near}
            focus={isFocused}
            showCursor={false}
            onChange={type}
          />
          <Text inverse={isFocused}>{atCursor || (isFocused ? ' ' : '')}</Text>
          <Text>{beyond}</Text>
          {!isFocused && value === '' && <Text dim>{placeholder}</Text>}
        </Line>
      </Box>
    </Box>
  );
}

/** With Ctrl or Alt. Ink says of Escape that Alt is held. */
const isWithHeldKey = (key: Key): boolean => (key.ctrl || key.meta) && !key.escape;
