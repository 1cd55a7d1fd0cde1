// What can be clicked. Ink tells nobody where a component is, so a click is compared with the places that Ink laid out.
import { Box, type BoxProps, type DOMElement } from 'ink';
import { createContext, type ReactNode, type Ref, useContext, useLayoutEffect, useRef } from 'react';

interface Target {
  readonly node: () => DOMElement | null;
  readonly click: () => void;
  /** Also while a question waits for its answer. */
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
    /** Clicks what is there, from 0; what was mounted last is in front. */
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

/** A reference for the Box that can be clicked. */
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
  /** Also while a question waits for its answer. */
  readonly isAlways?: boolean;
  readonly children: ReactNode;
}

/** A part of a row, or of several, that can be clicked. */
export function Clickable({ onClick, isAlways = false, children, ...layout }: ClickableProps) {
  const ref = useClick(onClick, isAlways);
  return (
    <Box ref={ref} flexShrink={0} {...layout}>
      {children}
    </Box>
  );
}
