// Runs in the page, before the app: an audit of what everybody can use, and what a test pretends.
window.inPage = {
  /** Whether the tab is taken for hidden. */
  isHidden: false,
  /** Every EventSource that was made. */
  sources: [],

  setHidden(isHidden) {
    window.inPage.isHidden = isHidden;
    document.dispatchEvent(new Event('visibilitychange'));
  },

  /** Controls without names, fields without labels, headings out of order, landmarks and ids more than once. */
  findMarkupFaults() {
    const faults = [];
    const say = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
    const all = selector => [...document.querySelectorAll(selector)];
    const idsOf = (element, name) => (element.getAttribute(name) ?? '').split(' ').filter(Boolean);
    const labelled = element =>
      idsOf(element, 'aria-labelledby')
        .map(id => document.getElementById(id)?.textContent)
        .join('');
    const nameOf = element =>
      element.getAttribute('aria-label') || labelled(element) || element.textContent.trim();

    for (const element of all('a, button, [role=slider], dialog, section, nav, fieldset'))
      if (!nameOf(element)) say('no name', element);
    for (const field of all('input, select, textarea'))
      if (!field.getAttribute('aria-label') && !field.labels.length) say('no label', field);
    for (const element of all('[aria-labelledby], [aria-describedby]'))
      for (const id of [...idsOf(element, 'aria-labelledby'), ...idsOf(element, 'aria-describedby')])
        if (!document.getElementById(id)) say(`no #${id}`, element);

    const levels = all('h1, h2, h3').map(heading => Number(heading.localName[1]));
    if (levels.filter(level => level === 1).length !== 1) faults.push(`first headings: ${levels}`);
    if (levels.some((level, index) => index > 0 && level > levels[index - 1] + 1))
      faults.push(`a heading skips a level: ${levels}`);
    for (const landmark of ['main', 'header', 'nav'])
      if (all(landmark).length !== 1) faults.push(`not one ${landmark}`);
    const ids = all('[id]').map(({ id }) => id);
    for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`twice #${id}`);
    for (const box of all('main *')) {
      const scrolls = ['auto', 'scroll'].includes(getComputedStyle(box).overflowY);
      if (
        scrolls &&
        box.scrollHeight > box.clientHeight + 1 &&
        box.tabIndex < 0 &&
        !box.matches('dialog, textarea')
      )
        say('scrolls, and no key reaches it', box);
    }
    if (!document.documentElement.lang) faults.push('no language');
    return faults;
  },

  /** Text whose contrast with what is behind it is below 4.5. */
  findContrastFaults() {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const lightOf = colours => {
      for (const colour of colours) {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = element => [
      ...(element.parentElement ? behind(element.parentElement) : []),
      getComputedStyle(element).backgroundColor,
    ];
    const faults = [];
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some(
        ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim(),
      );
      if (!hasText || !element.checkVisibility() || element.closest('.unseen') || element.disabled) continue;
      const { color, fill } = getComputedStyle(element);
      const background = behind(element);
      const text = lightOf([...background, element instanceof SVGElement ? fill : color]);
      const ground = lightOf(background);
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      if (contrast < 4.5) faults.push(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 100)}`);
    }
    return faults;
  },

  /** What is wider than the window, or than a box that should not scroll sideways. */
  findWidthFaults() {
    const clips = element => getComputedStyle(element).overflowX !== 'visible';
    const isClipped = ({ parentElement: box }) => box.localName !== 'main' && (clips(box) || isClipped(box));
    return [...document.querySelectorAll('main *')]
      .filter(element => element.checkVisibility() && !element.closest('.unseen, thead, .sample, .name, svg'))
      .filter(element =>
        clips(element)
          ? element.scrollWidth > element.clientWidth + 1
          : !isClipped(element) && element.getBoundingClientRect().right > window.innerWidth + 1,
      )
      .map(element => element.outerHTML.slice(0, 120));
  },
};

Object.defineProperty(document, 'hidden', { get: () => window.inPage.isHidden });

window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.inPage.sources.push(this);
  }
};
