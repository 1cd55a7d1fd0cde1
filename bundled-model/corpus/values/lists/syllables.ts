// Sounds that invented words are made of.
import { toList } from './to-list.js';

export const ONSETS = toList(`
b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kr l m n p pl pr qu r s sh sk sl sm sn sp st str t th tr tw v w y z
`);
export const VOWELS = toList('a a a e e e i i i o o o u u ai ea ee ia io oa oo ou');
export const CODAS = toList('b ck d ft g k l lk lm ln lt m mp n nd nk nt p r rd rk rm rn rt s sk st t x z');
export const ENDINGS = toList('a o e i y el en er ia ic in is ium ix on or os um us ette ble dle');
