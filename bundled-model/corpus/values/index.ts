// Entity values: people, places, things and amounts. Each call returns one that belongs to the part of the draw.
import type { Draw } from '../draw.js';
import { drawDomain, drawEmail, drawPhone, drawUsername } from './contacts.js';
import { drawCity, drawCompany, drawFirstName, drawProduct, drawStreet, drawSurname } from './names.js';
import { drawAccountNumber, drawAmount, drawCode, drawDate, drawOrderNumber, drawTime } from './numbers.js';
import { inventWord } from './words.js';

export interface Values {
  firstName(): string;
  surname(): string;
  /** First name and surname. */
  fullName(): string;
  /** Made-up companies, such as "Brightwell Supplies". */
  company(): string;
  /** Made-up product names, such as "Lumo Kettle 3". */
  product(): string;
  city(): string;
  /** House number and street. */
  street(): string;
  /** Matches the name, if given. */
  email(name?: string): string;
  /** "mara.holt", "jkoskinen84", … */
  username(): string;
  /** In a domain reserved for examples, such as "coppermail.example". */
  domain(): string;
  phone(): string;
  /** "#48213", "A-4821", "ORD-22910", … */
  orderNumber(): string;
  /** A customer or bank account: "AC-482210", "12-48-33-2910", … */
  accountNumber(): string;
  /** A code of letters and digits, such as "K7Q2-99XD"; never a password. */
  code(): string;
  /** "$24.50", "18 euros", … */
  amount(): string;
  /** "March 14", "14 March 2023", "2023-03-14", … */
  date(): string;
  /** "3 pm", "14:30", … */
  time(): string;
  /** A lower-case invented word, such as "velto". */
  word(): string;
}

export function createValues(draw: Draw): Values {
  return {
    firstName: () => drawFirstName(draw),
    surname: () => drawSurname(draw),
    fullName: () => `${drawFirstName(draw)} ${drawSurname(draw)}`,
    company: () => drawCompany(draw),
    product: () => drawProduct(draw),
    city: () => drawCity(draw),
    street: () => drawStreet(draw),
    email: name => drawEmail(draw, name),
    username: () => drawUsername(draw),
    domain: () => drawDomain(draw),
    phone: () => drawPhone(draw),
    orderNumber: () => drawOrderNumber(draw),
    accountNumber: () => drawAccountNumber(draw),
    code: () => drawCode(draw),
    amount: () => drawAmount(draw),
    date: () => drawDate(draw),
    time: () => drawTime(draw),
    word: () => draw.value(() => inventWord(draw)),
  };
}
