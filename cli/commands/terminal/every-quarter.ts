/** Shows 25, 50, 75 and 100. */
export function everyQuarter(show: (percent: number) => void): (done: number, total: number) => void {
  let shown = 0;
  return (done, total) => {
    const percent = Math.floor((4 * done) / total) * 25;
    if (percent > shown) show(percent);
    shown = percent;
  };
}
