// The tags of the house, one for each kind of thing that must not be read.
export const TAGS = { who: '<who>', mail: '<mail>', ring: '<ring>', spot: '<spot>', nick: '<nick>' } as const;
