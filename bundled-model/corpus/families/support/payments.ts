// Refunds, returns, bills and prices.
import type { Intent } from '../../intent.js';

const refund: Intent = {
  asks: [
    'I want a refund.',
    'I want a refund for order {order}.',
    'Please give me my money back for order {order}.',
    'How do I get a refund?',
    'Can I get my {amount} back?',
    'I want my money back for the {product}.',
    'Refund order {order} please.',
    'I would like to get {amount} back for order {order}.',
    'How can I get my money back?',
    'I am not happy with the {product} and want a refund.',
    'Please refund {amount} for order {order}.',
  ],
  answers: [
    'Please send me your order number, and we will check your refund.',
    'We will check the refund for order {order} and write to you.',
    'We will check the refund of {amount}. Please send me your order number.',
    'We will check the refund of {amount} for order {order} and write to you.',
    'We will check the refund for your {product}. Please send me your order number.',
  ],
};

const refundLate: Intent = {
  asks: [
    'My refund has not arrived.',
    'Where is my refund for order {order}?',
    'I am still waiting for my refund of {amount}.',
    'I sent back order {order}, but I have no money yet.',
    'The refund for order {order} is late.',
    'You promised me {amount} back. Where is it?',
    'When will my money for order {order} come?',
    'I have not got my {amount} back yet.',
    'My refund was promised for {date}.',
    'Why is my refund not here yet?',
  ],
  answers: [
    'I am sorry that your refund is late. Please send me your order number, so that we can check.',
    'I am sorry that your refund for order {order} is late. We will check it today.',
    'I am sorry that your refund of {amount} is late. Please send me your order number.',
  ],
};

const doubleCharge: Intent = {
  asks: [
    'I was charged twice.',
    'You charged me twice for order {order}.',
    'I paid {amount} two times.',
    'My card was charged {amount} twice.',
    'Why did I pay twice for order {order}?',
    'There are two payments of {amount} on my card.',
    'I see order {order} two times on my bill.',
    'I paid two times by mistake.',
    'You took {amount} from my account twice.',
    'I was billed twice on {date}.',
  ],
  answers: [
    'I am sorry about that. Please send me your order number, and we will return the second payment.',
    'I am sorry that you were charged twice for order {order}. We will check it and return what is too much.',
    'I am sorry that you paid {amount} twice. Please send me your order number, and we will check it.',
  ],
};

const unknownCharge: Intent = {
  asks: [
    'I do not know this charge of {amount}.',
    'What is the {amount} on my bill?',
    'There is a charge of {amount} that I do not know.',
    'Why did you take {amount} from my card?',
    'I did not buy anything, but you charged {amount}.',
    'My bill shows {amount}. What is it for?',
    'On {date} you charged me {amount}. Why?',
    'I was charged {amount}, but I did not order anything.',
    'Please explain the {amount} from {date}.',
  ],
  answers: [
    'I am sorry about the surprise. We will check the charge of {amount} and write to you.',
    'We will find out what the {amount} is for and write to you.',
  ],
};

const invoice: Intent = {
  asks: [
    'I need an invoice.',
    'Please send me the invoice for order {order}.',
    'Where can I find my invoice?',
    'I did not get an invoice for order {order}.',
    'Can I get a copy of my invoice?',
    'I need a receipt for order {order}.',
    'The invoice for order {order} is missing.',
    'Can you send the invoice for {order} to {email}?',
    'Please send my invoice to {email}.',
    'The invoice for order {order} has the wrong name on it.',
    'Where do I find a receipt for my {product}?',
  ],
  answers: [
    'You find all invoices in your account, under Orders.',
    'You find the invoice for order {order} in your account, under Orders.',
    'We will send the invoice for order {order} to {email}.',
    'We will send your invoice to {email}.',
    'You find the receipt for your {product} in your account, under Orders.',
  ],
};

const paymentFailed: Intent = {
  asks: [
    'My payment failed.',
    'My card was declined.',
    'I cannot pay for order {order}.',
    'The payment for order {order} did not work.',
    'Why does my card not work?',
    'I try to pay {amount}, but I get an error.',
    'I cannot pay with my card.',
    'The payment of {amount} did not go through.',
    'There is an error when I pay.',
    'Paying for order {order} does not work.',
  ],
  answers: [
    'I am sorry about that. Please check your card details, or try another way to pay.',
    'I am sorry. Please check your card details and try to pay for order {order} again.',
    'I am sorry. Please check your card details and try to pay the {amount} again.',
  ],
};

const voucher: Intent = {
  asks: [
    'My code {code} does not work.',
    'How do I use the code {code}?',
    'I have a voucher. How can I use it?',
    'The discount code {code} is not accepted.',
    'Where do I enter my code {code}?',
    'I forgot to use my code {code} for order {order}.',
    'Can I still use the code {code}?',
    'It says that {code} is not valid.',
    'Can I use two codes at once?',
    'Where do I enter a gift card?',
  ],
  answers: [
    'Enter the code in the basket, before you pay. Only one code can be used for each order.',
    'Enter the code {code} in the basket, before you pay. If it fails, we will check it for you.',
    'We will check the code {code} for order {order} and write to you.',
  ],
};

const returns: Intent = {
  asks: [
    'How do I return something?',
    'I want to return the {product}.',
    'I want to send back order {order}.',
    'How can I return order {order}?',
    'The {product} does not fit. Can I send it back?',
    'Can I return my {product}?',
    'I do not like the {product}. How do I send it back?',
    'Where do I get a return label for order {order}?',
    'Please send me a return label.',
    'I would like to send back the {product} from order {order}.',
    'What do I have to do to return an item?',
  ],
  answers: [
    'Choose the order in your account, print the return label and send the parcel back.',
    'Choose order {order} in your account, print the return label and send the parcel back.',
    'You can return the {product}: print the return label in your account and send it back.',
    'You can return the {product}: open order {order} in your account and print the return label.',
  ],
};

const exchangeItem: Intent = {
  asks: [
    'Can I exchange an item?',
    'I want to exchange the {product}.',
    'Can I swap my {product} for another colour?',
    'I want another size of the {product} from order {order}.',
    'Please exchange the {product} in order {order}.',
    'The {product} is too small. Can I get a bigger one?',
    'The {product} is too big. I need a smaller one.',
    'How do I exchange something from order {order}?',
    'I would like to swap an item from order {order}.',
    'Is it possible to exchange what I bought?',
  ],
  answers: [
    'Yes. Please send me your order number and tell me what you want instead.',
    'Yes. Please tell me what you want instead, and we will change it in order {order}.',
    'Yes, you can exchange the {product}. Please send me your order number.',
    'Yes, you can exchange the {product}. We will send you a label for order {order}.',
  ],
};

export const PAYMENTS: readonly Intent[] = [
  refund,
  refundLate,
  doubleCharge,
  unknownCharge,
  invoice,
  paymentFailed,
  voucher,
  returns,
  exchangeItem,
];
