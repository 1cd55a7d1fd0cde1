// Before anything is drawn: the theme that was chosen, so that the page does not flash in the other one.
try {
  const theme = localStorage.getItem('svc-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {}
