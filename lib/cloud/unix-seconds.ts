/** A time as OpenAI's formats have it. Numbers are milliseconds. */
export function toSeconds(time: Date | number | string): number {
  return Math.floor(new Date(time).getTime() / 1000);
}
