// Click handling. Ink does not report where components are, so clicks are compared with the positions in its
// layout.
import { Box, type BoxProps, type DOMElement } from 'ink';
import { createContext, type ReactNode, type Ref, useContext, useLayoutEffect, useRef } from 'react';

interface Target {
  readonly node: () => DOMElement | null;
  readonly click: () => void;
  /** Clickable even while a question is open. */
  readonly isAlways: boolean;
}

export type ClickTargets = ReturnType<typeof createClickTargets>;

export function createClickTargets() {
  const targets = new Set<Target>();
  return {
    add(target: Target): () => void {
      targets.add(target);
      return () => void targets.delete(target);
    },
    /** Dispatches a click at these coordinates, from 0; the component mounted last is in front. */
    click(row: number, column: number, isAsked: boolean): void {
      const found = [...targets].findLast(({ node }) => isAt(node(), row, column));
      if (found?.isAlways || !isAsked) found?.click();
    },
  };
}

function isAt(node: DOMElement | null, row: number, column: number): boolean {
  if (!node?.yogaNode) return false;
  let [left, top] = [0, 0];
  for (let at: DOMElement | undefined = node; at; at = at.parentNode) {
    left += at.yogaNode?.getComputedLeft() ?? 0;
    top += at.yogaNode?.getComputedTop() ?? 0;
  }
  const { yogaNode } = node;
  const isBeside = column < left || column >= left + yogaNode.getComputedWidth();
  return !isBeside && row >= top && row < top + yogaNode.getComputedHeight();
}

export const ClickContext = createContext<ClickTargets>(createClickTargets());

/** A ref for a Box that can be clicked. */
export function useClick(onClick: (() => void) | undefined, isAlways = false): Ref<DOMElement> {
  const targets = useContext(ClickContext);
  const ref = useRef<DOMElement>(null);
  const latest = useRef(onClick);
  const isClickable = onClick !== undefined;
  useLayoutEffect(() => {
    latest.current = onClick;
  });
  useLayoutEffect(() => {
    if (!isClickable) return;
    return targets.add({ node: () => ref.current, click: () => latest.current?.(), isAlways });
  }, [targets, isClickable, isAlways]);
  return ref;
}

interface ClickableProps extends Pick<BoxProps, 'flexDirection'> {
  readonly onClick?: (() => void) | undefined;
  /** Clickable even while a question is open. */
  readonly isAlways?: boolean;
  readonly children: ReactNode;
}

/** A clickable part of one or more rows. */
export function Clickable({ onClick, isAlways = false, children, ...layout }: ClickableProps) {
  const ref = useClick(onClick, isAlways);
  return (
    <Box ref={ref} flexShrink={0} {...layout}>
      {children}
    </Box>
  );
}
