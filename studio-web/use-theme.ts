// Light or dark: follows the system until the user picks the other theme. Picking the system's theme follows it again.
import { computed, onUnmounted, ref } from 'vue';

type Theme = 'light' | 'dark';

/** `public/theme.js` reads this key before the first paint. */
const STORAGE_KEY = 'svc-theme';

export function useTheme() {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const systemTheme = ref(themeOf(system.matches));
  const chosen = ref(readChosen());
  const theme = computed(() => chosen.value ?? systemTheme.value);

  const onSystemChange = () => {
    systemTheme.value = themeOf(system.matches);
  };
  system.addEventListener('change', onSystemChange);
  onUnmounted(() => system.removeEventListener('change', onSystemChange));

  function toggle(): void {
    const next = themeOf(theme.value === 'light');
    chosen.value = next === systemTheme.value ? undefined : next;
    remember(chosen.value);
  }
  return { theme, toggle };
}

function themeOf(isDark: boolean): Theme {
  return isDark ? 'dark' : 'light';
}

function readChosen(): Theme | undefined {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}

/** If storage is blocked, the choice lasts until the page is closed. */
function remember(theme: Theme | undefined): void {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    if (theme) localStorage.setItem(STORAGE_KEY, theme);
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    return;
  }
}
