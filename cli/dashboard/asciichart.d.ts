// Types for the part of asciichart that is used here; the package has none.
declare module 'asciichart' {
  interface PlotConfig {
    min?: number;
    max?: number;
    height?: number;
    offset?: number;
    symbols?: readonly string[];
    format?: (value: number) => string;
  }
  const asciichart: { plot(series: readonly number[], config?: PlotConfig): string };
  export default asciichart;
}
