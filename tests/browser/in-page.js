// Runs in the page, before the app: what a test pretends there, and what it measures.
window.inPage = {
  /** Whether the tab is taken for hidden. */
  isHidden: false,
  /** Every EventSource that was made. */
  sources: [],
  /** The path of every fetch, as it is sent: a server may learn of it later. */
  fetched: [],

  setHidden(isHidden) {
    window.inPage.isHidden = isHidden;
    document.dispatchEvent(new Event('visibilitychange'));
  },

  /** What is wider than the window, or than a box that should not scroll sideways. */
  findWidthFaults() {
    const clips = element => getComputedStyle(element).overflowX !== 'visible';
    const isClipped = ({ parentElement: box }) => box.localName !== 'main' && (clips(box) || isClipped(box));
    return [...document.querySelectorAll('main *')]
      .filter(
        element =>
          element.checkVisibility() &&
          !element.closest('.unseen, thead, .sample, .name, .message, .note, .sideways, svg'),
      )
      .filter(element =>
        clips(element)
          ? element.scrollWidth > element.clientWidth + 1
          : !isClipped(element) && element.getBoundingClientRect().right > window.innerWidth + 1,
      )
      .map(element => element.outerHTML.slice(0, 120));
  },
};

Object.defineProperty(document, 'hidden', { get: () => window.inPage.isHidden });

const { fetch } = window;
window.fetch = (...given) => {
  window.inPage.fetched.push(new URL(given[0].url ?? given[0], window.location.href).pathname);
  return fetch(...given);
};

window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    window.inPage.sources.push(this);
  }
};
