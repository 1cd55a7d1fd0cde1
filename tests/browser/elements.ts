// What the tests read of elements. The code runs in the page; this compiler knows no DOM, so its part is named here.
import type { Locator, Page } from 'playwright-core';

interface DomElement {
  readonly localName: string;
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  readonly scrollHeight: number;
  scrollTo(x: number, y: number): void;
  getAttribute(name: string): string | null;
  getBoundingClientRect(): Box;
  matches(selector: string): boolean;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
}

declare function getComputedStyle(element: unknown): Record<string, string>;

/** How far a box has been scrolled, and how far it is from its end. */
export const scrollOf = (box: Locator) =>
  box.evaluate((element: unknown) => {
    const { scrollTop, clientHeight, scrollHeight } = element as DomElement;
    return { top: scrollTop, toEnd: scrollHeight - clientHeight - scrollTop };
  });

export const scrollToTop = (box: Locator) =>
  box.evaluate((element: unknown) => (element as DomElement).scrollTo(0, 0));

/** How much of its text a box cuts off. */
export const hiddenWidth = (box: Locator) =>
  box.evaluate((element: unknown) => {
    const { scrollWidth, clientWidth } = element as DomElement;
    return scrollWidth - clientWidth;
  });

export const styleOf = (locator: Locator, property: string) =>
  locator.evaluate((element: unknown, name) => getComputedStyle(element)[name], property);

export const boxOf = (locator: Locator) =>
  locator.evaluate((element: unknown) => {
    const { left, right, top, bottom, width } = (element as DomElement).getBoundingClientRect();
    return { left, right, top, bottom, width };
  });

export const isFocused = (locator: Locator) =>
  locator.evaluate((element: unknown) => (element as DomElement).matches(':focus'));

/** What is said below a field. */
export const noteOf = async (field: Locator) =>
  field
    .page()
    .locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
    .innerText();

/** Of fields their type, of other elements their name. */
export const kindsOf = (locator: Locator) =>
  locator.evaluateAll((elements: unknown) =>
    (elements as DomElement[]).map(element => element.getAttribute('type') ?? element.localName),
  );

export const attributesOf = (locator: Locator, name: string) =>
  locator.evaluateAll(
    (elements: unknown, wanted) => (elements as DomElement[]).map(element => element.getAttribute(wanted)),
    name,
  );

/** The name or text of what has the focus. */
export const focusedName = (page: Page) =>
  page.evaluate<string>(
    "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()",
  );

export const hashOf = (page: Page) => new URL(page.url()).hash;
