// What is done on a page most, and what is waited for then.
import type { Page } from 'playwright-core';

/** What was done, and what is waited for then: `await press('Words').sees('4 steps')`. */
export interface Seeing extends Promise<void> {
  /** Waits until each of these stands somewhere, once. */
  sees(...texts: (string | RegExp)[]): Seeing;
  /** Waits until the page has this title. */
  isOn(title: string): Seeing;
}

/** What is done on a page most. */
export function handsOf(page: Page) {
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const see = async (texts: readonly (string | RegExp)[]) => {
    for (const text of texts) await page.getByText(text).waitFor();
  };
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
  const thenSee = (done: Promise<unknown>): Seeing =>
    Object.assign(
      done.then(() => {}),
      {
        sees: (...texts: (string | RegExp)[]) => thenSee(done.then(() => see(texts))),
        isOn: (title: string) => thenSee(done.then(() => heading(title).waitFor())),
      },
    );
  const pressKeys = async (names: readonly string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };
  const { sees, isOn } = thenSee(Promise.resolve());
  return {
    sees,
    isOn,
    /** Clicks a button. */
    press: (name: string | RegExp) => thenSee(button(name).click()),
    /** Clicks a link with exactly this name. */
    follow: (name: string) => thenSee(link(name).click()),
    keys: (...names: string[]) => thenSee(pressKeys(names)),
    /** Goes to a view as a link would. */
    visit: (hash: string) => thenSee(page.evaluate(`location.assign(${JSON.stringify(hash)})`)),
    reload: () => thenSee(page.reload()),
    back: () => thenSee(page.goBack()),
    button,
    card: (name: string) => page.getByRole('region', { name, exact: true }),
    dialog: page.getByRole('dialog'),
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
  };
}
