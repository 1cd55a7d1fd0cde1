export function correctInk(path: string, source: string): string;
