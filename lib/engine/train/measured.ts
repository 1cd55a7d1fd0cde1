// What single precision can tell of a figure: the digits behind are noise, and would stand in every log.
const DIGITS = 7;

export const toMeasured = (value: number): number => Number(value.toPrecision(DIGITS));
