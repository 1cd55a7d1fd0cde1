// Products, the app, and the people behind the desk.
import type { Intent } from '../../intent.js';

const broken: Intent = {
  asks: [
    'My {product} does not work.',
    'My {product} stopped working.',
    'The {product} will not turn on.',
    'My {product} is broken after two weeks.',
    'The {product} makes a strange noise.',
    'I bought a {product} on {date}, and now it is broken.',
    'What can I do? My {product} is dead.',
    'The {product} does not start any more.',
    'My {product} gets very hot.',
    'Something is wrong with my {product}.',
    'The {product} from order {order} does not work.',
    'Nothing happens when I turn on the {product}.',
  ],
  answers: [
    'I am sorry about that. Please switch the {product} off and contact us with your order number.',
    'I am sorry that your {product} does not work. Please send me your order number, and we will help.',
    'I am sorry that your {product} does not work. We will check order {order} and write to you.',
  ],
};

const setup: Intent = {
  asks: [
    'How do I set up the {product}?',
    'How does the {product} work?',
    'Where is the manual of the {product}?',
    'There was no manual with my {product}.',
    'I do not know how to use the {product}.',
    'How do I start my {product}?',
    'Can you explain how to use the {product}?',
    'Is there a guide for the {product}?',
    'I need help with my new {product}.',
    'How do I clean the {product}?',
  ],
  answers: [
    'You find the manual of the {product} on our help page.',
    'Please look at the manual of the {product}. It is on our help page.',
  ],
};

const stock: Intent = {
  asks: [
    'Is the {product} in stock?',
    'When will the {product} be back?',
    'The {product} is sold out. When can I buy it?',
    'Do you still have the {product}?',
    'Do you sell the {product}?',
    'Can I still buy the {product}?',
    'Will you get more of the {product}?',
    'How many of the {product} do you have?',
    'I want to buy the {product}, but it is gone.',
    'Can I order the {product} in advance?',
  ],
  answers: [
    'You see on the page of the {product} whether it is in stock.',
    'The page of the {product} shows if it is in stock. You can ask for an email when it is back.',
  ],
};

const parts: Intent = {
  asks: [
    'I need a spare part for my {product}.',
    'Do you sell parts for the {product}?',
    'I lost a part of my {product}.',
    'Where can I get a new cable for the {product}?',
    'The lid of my {product} broke. Can I buy a new one?',
    'Can I buy a battery for the {product}?',
    'Which battery does the {product} need?',
    'A screw of the {product} is missing.',
    'Can you repair my {product}?',
    'Who can repair the {product}?',
  ],
  answers: [
    'Our repair team can help with the {product}. Please tell us which part you need.',
    'Please tell us what your {product} needs, and our repair team will help.',
  ],
};

const appCrash: Intent = {
  asks: [
    'The app crashes.',
    'The app does not open.',
    'Your app crashes on my phone.',
    'I cannot open the app.',
    'The app shows a blank page.',
    'The app stops when I open order {order}.',
    'The app closes by itself.',
    'Your app does not work since {date}.',
    'I get error {code} in the app.',
    'The app shows the error {code}.',
    'What does error {code} in the app mean?',
  ],
  answers: [
    'I am sorry. Please update the app, restart your phone and try again.',
    'I am sorry about the error {code}. Please update the app and try again.',
    'I am sorry. Please update the app and then open order {order} again.',
  ],
};

const appSlow: Intent = {
  asks: [
    'The app is very slow.',
    'Your website is slow.',
    'The app takes too long to load.',
    'Why is the app so slow?',
    'The page does not load.',
    'Nothing loads in the app.',
    'Your website does not open.',
    'It takes ages to open the app.',
    'The app hangs all the time.',
  ],
  answers: [
    'I am sorry. Please check your connection, update the app and try again.',
    'I am sorry about that. Please check your connection and load the page again.',
  ],
};

const messages: Intent = {
  asks: [
    'I get too many emails from you.',
    'Please stop sending me emails.',
    'How do I unsubscribe from the newsletter?',
    'Take {email} off your list.',
    'I do not want your newsletter at {email}.',
    'Please do not write to {email} any more.',
    'How can I turn off the messages in the app?',
    'I want no more ads from you.',
    'Remove me from your mailing list.',
  ],
  answers: ['Click "Unsubscribe" at the end of any of our emails.', 'We will take {email} off our list.'],
};

const human: Intent = {
  asks: [
    'I want to talk to a person.',
    'Can I speak to a human?',
    'Please let me talk to someone.',
    'I want to speak to the manager.',
    'Can someone call me?',
    'Please call me at {phone}.',
    'Call me back at {phone}, please.',
    'My number is {phone}. I want to talk to someone.',
    'Can I talk to a real person?',
    'You do not help me. I want to talk to a person.',
    'Could someone ring me at {phone}?',
  ],
  answers: [
    'Of course. I will pass your message on to our team.',
    'Of course. I will ask our team to call you at {phone}.',
  ],
};

const complaint: Intent = {
  asks: [
    'I am very unhappy with your service.',
    'Your service is bad.',
    'I want to complain about order {order}.',
    'I have a complaint.',
    'Nobody answers my emails.',
    'I am angry about order {order}.',
    'I have written to you three times about order {order}.',
    'This is the worst shop ever.',
    'I will never buy from you again.',
    'I am not happy with the {product}.',
    'The {product} is a big disappointment.',
  ],
  answers: [
    'I am sorry that you are not happy. Please tell me what happened, so that we can help.',
    'I am sorry about the trouble with order {order}. We will look into it and write to you.',
    'I am sorry that you are not happy with the {product}. Please tell me what is wrong with it.',
  ],
};

const satisfied: Intent = {
  asks: [
    'I love my {product}!',
    'The {product} is great, thank you!',
    'Order {order} came today. Thank you!',
    'You have a great service.',
    'Thank you for the fast delivery of order {order}.',
    'I am very happy with the {product}.',
    'Thanks, order {order} is here and all is well.',
    'I just wanted to say thank you.',
    'My new {product} works very well.',
    'Great shop, I will come back.',
  ],
  answers: [
    'Thank you for your kind words! We are happy to hear that.',
    'Thank you! We are glad that you like your {product}.',
    'Thank you! We are glad that order {order} is with you.',
  ],
};

export const PRODUCTS: readonly Intent[] = [broken, setup, stock, parts];
export const SERVICE: readonly Intent[] = [appCrash, appSlow, messages, human, complaint, satisfied];
