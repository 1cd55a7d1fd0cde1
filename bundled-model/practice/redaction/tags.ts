// The company's tags, one for each kind of thing to hide.
export const TAGS = { who: '<who>', mail: '<mail>', ring: '<ring>', spot: '<spot>', nick: '<nick>' } as const;
