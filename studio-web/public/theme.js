// Applies the saved theme before the first paint, so the page does not flash in the other one.
try {
  const theme = localStorage.getItem('svc-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
