// Types for the parts of asciichart used here; the package has none.
declare module 'asciichart' {
  interface PlotConfig {
    min?: number;
    max?: number;
    height?: number;
    /** The width of the label and the axis; a longer label widens its row. */
    offset?: number;
    padding?: string;
    /** One color per series; undefined for none. */
    colors?: readonly (string | undefined)[];
    /** The axis at the first value and elsewhere, two unused ones, `─`, `╰`, `╭`, `╮`, `╯`, `│`. */
    symbols?: readonly string[];
    /** Formats the label of a row; rows are counted from the top. */
    format?: (value: number, row: number) => string;
  }
  type ColorName = 'red' | 'green' | 'yellow' | 'magenta' | 'cyan' | 'darkgray' | 'lightblue';
  const asciichart: Readonly<Record<ColorName, string>> & {
    plot(series: readonly (readonly number[])[], config?: PlotConfig): string;
    colored(text: string, color: string | undefined): string;
  };
  export default asciichart;
}
