// What the system prompt says about a company, times and costs first: the answer must use it.
import type { Intent } from '../../intent.js';

/** A rule of a company. */
export interface Rule extends Intent {
  /** As the system prompt has it. */
  states: readonly string[];
  /** What is answered when the system prompt does not say. */
  unknown: string;
}

const refundTime: Rule = {
  states: [
    'Refunds take {refundTime}.',
    'A refund takes {refundTime}.',
    'Refunds are paid within {refundTime}.',
    'Customers get their refund within {refundTime}.',
    'Money is returned within {refundTime}.',
    'Time for a refund: {refundTime}.',
    'We pay refunds within {refundTime}.',
    'It takes {refundTime} to get a refund.',
  ],
  asks: [
    'How long does a refund take?',
    'When do I get my money back?',
    'How many days does a refund take?',
    'How long do I wait for a refund?',
    'When will my refund come?',
    'How fast are your refunds?',
    'What is the time for a refund?',
    'How soon is the money back on my card?',
    'I sent my order back. When do I get my money?',
    'I returned the {product}. When do I get the refund?',
  ],
  answers: ['A refund takes {refundTime}.', 'You get your refund within {refundTime}.'],
  unknown: 'I do not know how long a refund takes. Please ask our team.',
};

const returnTime: Rule = {
  states: [
    'Items can be returned within {returnTime}.',
    'Returns are accepted for {returnTime}.',
    'Customers have {returnTime} to return an item.',
    'You can send items back within {returnTime}.',
    'The return period is {returnTime}.',
    'Time to return: {returnTime}.',
    'We take items back for {returnTime}.',
    'Returns are possible within {returnTime} after delivery.',
  ],
  asks: [
    'How long can I return an item?',
    'How many days do I have to return something?',
    'Until when can I send it back?',
    'What is your return period?',
    'How much time do I have for a return?',
    'Can I still return my {product}?',
    'How long can I send back the {product}?',
    'What are your rules for returns?',
    'When is it too late to return something?',
    'For how long do you take items back?',
  ],
  answers: ['You can return items within {returnTime}.', 'You have {returnTime} to return an item.'],
  unknown: 'I do not know our return period. Please ask our team.',
};

const deliveryTime: Rule = {
  states: [
    'Delivery takes {deliveryTime}.',
    'Orders arrive within {deliveryTime}.',
    'We deliver within {deliveryTime}.',
    'Shipping takes {deliveryTime}.',
    'The delivery time is {deliveryTime}.',
    'A parcel takes {deliveryTime}.',
    'Parcels arrive within {deliveryTime}.',
    'Orders are delivered within {deliveryTime}.',
  ],
  asks: [
    'How long does delivery take?',
    'How long does shipping take?',
    'How many days does a parcel take?',
    'When will a new order arrive?',
    'If I order today, when does it come?',
    'How fast do you deliver?',
    'How long will the {product} take to get here?',
    'What is your delivery time?',
    'How long do I wait for my parcel?',
    'How soon can I have the {product}?',
  ],
  answers: ['Delivery takes {deliveryTime}.', 'Your order arrives within {deliveryTime}.'],
  unknown: 'I do not know the delivery time. Please ask our team.',
};

const shippingCost: Rule = {
  states: [
    'Shipping costs {shippingCost}.',
    'Delivery costs {shippingCost}.',
    'The price of shipping is {shippingCost}.',
    'We charge {shippingCost} for delivery.',
    'Customers pay {shippingCost} for shipping.',
    'Cost of delivery: {shippingCost}.',
    'A parcel costs {shippingCost} to send.',
    'Sending a parcel costs {shippingCost}.',
  ],
  asks: [
    'How much is shipping?',
    'What does delivery cost?',
    'How much do I pay for shipping?',
    'Is shipping free?',
    'What are the shipping costs?',
    'Do I have to pay for delivery?',
    'How much does it cost to send the {product}?',
    'What is the price of delivery?',
    'How expensive is shipping?',
    'What do you charge for delivery?',
  ],
  answers: ['Shipping costs {shippingCost}.', 'You pay {shippingCost} for shipping.'],
  unknown: 'I do not know what shipping costs. Please ask our team.',
};

const warranty: Rule = {
  states: [
    'The warranty is {warranty}.',
    'Our products have a warranty of {warranty}.',
    'All items come with {warranty} of warranty.',
    'We give a warranty of {warranty}.',
    'Warranty: {warranty}.',
    'The warranty lasts {warranty}.',
    'Every product has a warranty of {warranty}.',
    'Customers get {warranty} of warranty.',
  ],
  asks: [
    'How long is the warranty?',
    'Is there a warranty on the {product}?',
    'What warranty do I get?',
    'How long does the warranty last?',
    'Does the {product} have a warranty?',
    'How many years of warranty are there?',
    'Do I get a warranty?',
    'Tell me about your warranty.',
    'For how long is my {product} under warranty?',
    'What is your warranty?',
  ],
  answers: ['The warranty is {warranty}.', 'The {product} has a warranty of {warranty}.'],
  unknown: 'I do not know how long the warranty is. Please ask our team.',
};

const notice: Rule = {
  states: [
    'The notice period is {notice}.',
    'Plans can be cancelled with {notice} of notice.',
    'A plan ends {notice} after it is cancelled.',
    'Customers must give {notice} of notice to cancel.',
    'To cancel a plan, we need {notice} of notice.',
    'Notice period: {notice}.',
    'Subscriptions have a notice period of {notice}.',
    'The notice for a plan is {notice}.',
  ],
  asks: [
    'What is the notice period?',
    'How long is the notice period?',
    'If I cancel, when does my plan end?',
    'How early must I cancel?',
    'How much notice do you need?',
    'When must I cancel my plan?',
    'How long does it take until my plan ends?',
    'What notice must I give?',
    'How many days of notice do I need?',
  ],
  answers: ['The notice period is {notice}.', 'You can cancel with {notice} of notice.'],
  unknown: 'I do not know the notice period. Please ask our team.',
};

const price: Rule = {
  states: [
    'The plan costs {price} a month.',
    'A subscription is {price} per month.',
    'Customers pay {price} a month.',
    'The monthly price is {price}.',
    'Price of the plan: {price} a month.',
    'We charge {price} per month for the plan.',
    'Our plan is {price} each month.',
    'A month of the plan costs {price}.',
  ],
  asks: [
    'How much is the plan?',
    'What does the subscription cost?',
    'How much do I pay each month?',
    'What is the monthly price?',
    'What does it cost per month?',
    'How expensive is the plan?',
    'What is the price of the plan?',
    'How much is it a month?',
    'What would I pay per month?',
    'Tell me the price of a subscription.',
  ],
  answers: ['The plan costs {price} a month.', 'You pay {price} a month.'],
  unknown: 'I do not know the price of the plan. Please ask our team.',
};

export const TERMS: readonly Rule[] = [
  refundTime,
  returnTime,
  deliveryTime,
  shippingCost,
  warranty,
  notice,
  price,
];
