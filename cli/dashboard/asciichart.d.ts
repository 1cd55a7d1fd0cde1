// Types for the part of asciichart that is used here; the package has none.
declare module 'asciichart' {
  interface PlotConfig {
    min?: number;
    max?: number;
    height?: number;
    /** The columns of the label and the axis; a label that is longer makes a row wider. */
    offset?: number;
    padding?: string;
    /** Of the series in their order; none for undefined. */
    colors?: readonly (string | undefined)[];
    /** The axis at the first value and elsewhere, two that are not used, `─`, `╰`, `╭`, `╮`, `╯`, `│`. */
    symbols?: readonly string[];
    /** Writes the label of a row; rows are counted from the top. */
    format?: (value: number, row: number) => string;
  }
  type ColorName = 'red' | 'green' | 'yellow' | 'magenta' | 'cyan' | 'darkgray' | 'lightblue';
  const asciichart: Readonly<Record<ColorName, string>> & {
    plot(series: readonly (readonly number[])[], config?: PlotConfig): string;
    colored(text: string, color: string | undefined): string;
  };
  export default asciichart;
}
