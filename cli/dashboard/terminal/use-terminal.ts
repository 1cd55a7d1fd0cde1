// The whole terminal as Ink's screen: its size, drawing everything anew, and writing what is no picture.
import { useStdout } from 'ink';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CLEAR } from './full-screen.js';
import type { Size } from './look.js';

interface Terminal extends Size {
  /** Draws everything anew. */
  redraw(): void;
}

/** `onWriter` gets what writes to the terminal between two pictures. */
export function useTerminal(onWriter?: (write: (text: string) => void) => void): Terminal {
  const { stdout, write } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout));
  const drawn = useRef(size);
  const redraw = useCallback(() => write(CLEAR), [write]);
  useLayoutEffect(() => onWriter?.(write), [onWriter, write]);
  useEffect(() => {
    const measure = (): boolean => {
      const { width, height } = sizeOf(stdout);
      const isOther = width !== drawn.current.width || height !== drawn.current.height;
      if (isOther) setSize({ width, height });
      return isOther;
    };
    const react = () => void (measure() || redraw());
    stdout.on('resize', react);
    // It may have changed while the first picture was drawn.
    measure();
    return () => void stdout.off('resize', react);
  }, [stdout, redraw]);
  useLayoutEffect(() => {
    if (size === drawn.current) return;
    drawn.current = size;
    // Ink draws at once when it is told so, now in this size; then the listener above has all of it written anew.
    stdout.emit('resize');
  }, [stdout, size]);
  return { ...size, redraw };
}

const USUAL = { columns: 80, rows: 24 };

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { width: columns || USUAL.columns, height: rows || USUAL.rows };
}
