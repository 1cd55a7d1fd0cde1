// Ink on the whole terminal: its size, full redraws, and raw writes.
import { useStdout } from 'ink';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { CLEAR } from './full-screen.js';
import type { Size } from './look.js';

interface Terminal extends Size {
  /** Redraws everything. */
  redraw(): void;
}

/** `onWriter` receives a function that writes to the terminal between two frames. */
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
    // The size may have changed during the first render.
    measure();
    return () => void stdout.off('resize', react);
  }, [stdout, redraw]);
  useLayoutEffect(() => {
    if (size === drawn.current) return;
    drawn.current = size;
    // On a resize event Ink renders immediately, now at this size; the listener above then has everything
    // rewritten.
    stdout.emit('resize');
  }, [stdout, size]);
  return { ...size, redraw };
}

const USUAL = { columns: 80, rows: 24 };

function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { width: columns || USUAL.columns, height: rows || USUAL.rows };
}
