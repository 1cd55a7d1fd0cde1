// Orders and their delivery.
import type { Intent } from '../../intent.js';

const late: Intent = {
  asks: [
    'Where is my order?',
    'Where is my order {order}?',
    'My order {order} has not arrived yet.',
    'When will order {order} arrive?',
    'I am still waiting for my {product}.',
    'I ordered the {product} on {date} and it is not here yet.',
    'My parcel is late.',
    'Order {order} is late. What happened?',
    'I have been waiting for order {order} since {date}.',
    'Why is my delivery so late?',
    'The {product} from order {order} has not come.',
    'When will I get my {product}?',
    'My order {order} should have been here on {date}.',
    'Has order {order} been sent already?',
    'Can you tell me when my parcel will come?',
    'I still have not received my {product}, order {order}.',
  ],
  answers: [
    'I am sorry about the wait. Please send me your order number, so that we can find your parcel.',
    'I am sorry about the wait. We will check where order {order} is and write to you.',
    'I am sorry that order {order} is late. We will find out where it is.',
    'I am sorry that your {product} is late. Please send me your order number, so that we can check.',
    'I am sorry that your {product} is late. We will check order {order} and write to you.',
  ],
};

const tracking: Intent = {
  asks: [
    'How can I track my order?',
    'Can I track order {order}?',
    'Where do I find the tracking number of order {order}?',
    'I need the tracking number for my order.',
    'The tracking link for order {order} does not work.',
    'Is there a tracking link for order {order}?',
    'How do I follow my parcel?',
    'Please send me the tracking number for {order}.',
    'I have no tracking number for my parcel.',
    'I want to follow order {order} on a map.',
  ],
  answers: [
    'You find the tracking link in the email that we sent with your parcel.',
    'You find the tracking link for order {order} in the email that we sent with your parcel.',
    'Please look at the email about order {order}: the tracking link is in it.',
  ],
};

const cancelOrder: Intent = {
  asks: [
    'I want to cancel my order.',
    'Please cancel order {order}.',
    'How do I cancel order {order}?',
    'I ordered by mistake. Can you cancel {order}?',
    'Can I still cancel my order?',
    'I do not need the {product} any more. Please cancel order {order}.',
    'Cancel my order {order} please.',
    'I want to stop order {order}.',
    'Is it possible to cancel order {order}?',
    'I changed my mind about order {order}.',
    'Please do not send order {order}. I do not want it any more.',
  ],
  answers: [
    'Please send me your order number, and we will cancel it if it has not been sent.',
    'We will cancel order {order} if it has not been sent yet.',
    'I have noted that you want to cancel order {order}. We can do it if it has not been sent.',
  ],
};

const changeAddress: Intent = {
  asks: [
    'I want to change the address of my order.',
    'Please send order {order} to {street}.',
    'The address of order {order} is wrong.',
    'I moved. The new address for order {order} is {street} in {city}.',
    'Can you send order {order} to {city}?',
    'I gave you the wrong address for order {order}.',
    'Can you change the address to {street}?',
    'My order {order} goes to the wrong address.',
    'How do I change the delivery address?',
    'We moved to {street}. Please change the address of order {order}.',
  ],
  answers: [
    'Please send me your order number and the new address, and we will change it.',
    'Please send me the right address for order {order}, and we will change it.',
    'We will change the address of order {order} to {street}.',
    'We will change the address of order {order} to {street}, {city}.',
    'We will try to send order {order} to {city}. Please send me the full address.',
    'Please send me your order number, and we will change the address to {street}.',
  ],
};

const wrongItem: Intent = {
  asks: [
    'I got the wrong item.',
    'You sent me the wrong product.',
    'I ordered the {product} but got something else.',
    'Order {order} has the wrong item in it.',
    'This is not what I ordered. I wanted the {product}.',
    'In order {order} I got the {product}, which I did not order.',
    'There is a wrong product in my parcel {order}.',
    'My parcel has the wrong thing in it.',
    'Someone else got my {product}, I think. I have the wrong one.',
    'Order {order} is wrong. I asked for the {product}.',
  ],
  answers: [
    'I am sorry about the mix-up. Please send me your order number, and we will send you the right item.',
    'I am sorry about the mix-up with order {order}. We will send you the right item.',
    'I am sorry about the mix-up with the {product}. Please send me your order number.',
    'I am sorry about the mix-up with the {product}. We will set order {order} right.',
  ],
};

const missingItem: Intent = {
  asks: [
    'An item is missing from my parcel.',
    'Something is missing in order {order}.',
    'The {product} is missing from order {order}.',
    'There was no {product} in my parcel.',
    'My parcel came without the {product}.',
    'Order {order} is not complete.',
    'I ordered two things, but only one came. Order {order}.',
    'The box of order {order} was empty.',
    'I only got half of order {order}.',
    'Part of my order did not arrive.',
  ],
  answers: [
    'I am sorry that something is missing. Please send me your order number, and we will send it to you.',
    'I am sorry that something is missing from order {order}. We will send it to you.',
    'I am sorry that the {product} is missing. Please send me your order number, and we will send it.',
    'I am sorry that the {product} is missing from order {order}. We will send it to you.',
  ],
};

const damaged: Intent = {
  asks: [
    'My parcel is damaged.',
    'My {product} arrived broken.',
    'The {product} in order {order} is damaged.',
    'Order {order} came damaged.',
    'There is a crack in my new {product}.',
    'The box of order {order} was wet and torn.',
    'I opened order {order} and everything was broken.',
    'The {product} has a scratch. Order {order}.',
    'I got a damaged {product}. What now?',
    'What I got is broken.',
    'My {product} was broken when I opened the box.',
  ],
  answers: [
    'I am sorry about the damage. Please send me your order number and a photo.',
    'I am sorry that order {order} came damaged. Please send us a photo, and we will replace it.',
    'I am sorry that your {product} is damaged. Please send me your order number and a photo.',
    'I am sorry that your {product} is damaged. Please send a photo, and we will check order {order}.',
  ],
};

const notReceived: Intent = {
  asks: [
    'It says that order {order} was delivered, but I have nothing.',
    'My parcel was delivered, but I did not get it.',
    'Order {order} is marked as delivered, but it is not here.',
    'The driver says that he left order {order} at my door. It is not there.',
    'Someone took my parcel from the door.',
    'Who signed for order {order}? It was not me.',
    'Order {order} was given to a neighbour, but nobody has it.',
    'I never got order {order}, but you say that I did.',
    'My {product} was delivered to someone else.',
    'The parcel with my {product} is gone.',
  ],
  answers: [
    'I am sorry. Please ask your neighbours first, and send me your order number, and we will look for it.',
    'I am sorry. Please ask your neighbours first. We will ask the driver about order {order}.',
    'I am sorry. Please ask your neighbours about the {product}, and send me your order number.',
  ],
};

const confirmation: Intent = {
  asks: [
    'I did not get an order confirmation.',
    'Did my order {order} go through?',
    'I have no email about order {order}.',
    'Was my order received?',
    'Please send me a confirmation for order {order}.',
    'The confirmation for order {order} never came.',
    'Is order {order} confirmed?',
    'I ordered the {product} but got no email.',
    'Can you confirm order {order}?',
  ],
  answers: [
    'Please check your spam folder. If there is no email, send me your order number.',
    'Please check your spam folder. If there is no email, we will send the confirmation of {order} again.',
    'Please check your spam folder for the email about the {product}, or send me your order number.',
  ],
};

const changeOrder: Intent = {
  asks: [
    'Can I change my order?',
    'I want to add the {product} to order {order}.',
    'Can you add the {product} to order {order}?',
    'Please take the {product} out of order {order}.',
    'I want to change order {order}.',
    'I ordered the wrong colour in order {order}.',
    'I need two of them, not one, in order {order}.',
    'How do I change what I ordered?',
    'Could you change the size in order {order}?',
    'I forgot to add the {product} to my order.',
  ],
  answers: [
    'Please send me your order number and tell me what to change.',
    'We can change order {order} if it has not been sent. Please tell me what you need.',
    'We will change the {product} in order {order} as you wish if it has not been sent.',
    'Please send me your order number, and we will see what we can do about the {product}.',
  ],
};

export const ORDERS: readonly Intent[] = [
  late,
  tracking,
  cancelOrder,
  changeAddress,
  wrongItem,
  missingItem,
  damaged,
  notReceived,
  confirmation,
  changeOrder,
];
