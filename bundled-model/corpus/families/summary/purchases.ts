// Mails about something that was bought: what is wrong with it, and what the customer wants.

export interface Fact {
  /** How the summary has it. */
  summary: string;
  /** How people write it. */
  texts: readonly string[];
}

/** The summary follows "because". */
export const REASONS: readonly Fact[] = [
  {
    summary: 'it arrived broken',
    texts: [
      'It came broken.',
      'When I opened the box, it was broken.',
      'It was in two pieces when I opened the package.',
      'The package looked fine, but inside it was broken.',
      'It was damaged on the way to me.',
    ],
  },
  {
    summary: 'it is too small',
    texts: [
      'It is much too small for us.',
      'It is smaller than I thought.',
      'On the photo it looked bigger. It is too small.',
      'The size is too small.',
      'I need a bigger one.',
    ],
  },
  {
    summary: 'it is too loud',
    texts: [
      'It makes so much noise that we cannot sleep.',
      'It is too loud.',
      'It is so loud that the neighbors complain.',
      'I did not know that it would be this loud.',
      'The noise is too much for a small room.',
    ],
  },
  {
    summary: 'it came too late',
    texts: [
      'It came too late for the birthday.',
      'It arrived two weeks late and now I do not need it.',
      'I needed it last month, but it only came today.',
      'It came a week after the party.',
      'The delivery took far too long, so I bought another one.',
    ],
  },
  {
    summary: 'it does not turn on',
    texts: [
      'It does not turn on.',
      'I press the button and nothing happens.',
      'It stays dark when I turn it on.',
      'I charged it all night, but it does not start.',
      'It will not start at all.',
    ],
  },
  {
    summary: 'a part is missing',
    texts: [
      'One part was not in the box.',
      'A part is missing.',
      'I cannot put it together because a piece is missing.',
      'The box did not have all the parts.',
      'There should be four parts, but I only found three.',
    ],
  },
  {
    summary: 'it has the wrong color',
    texts: [
      'I ordered blue and got green.',
      'It has the wrong color.',
      'The color is not the one that I chose.',
      'It should be black, but it is white.',
      'On your page it was red. Mine is brown.',
    ],
  },
  {
    summary: 'it stopped working',
    texts: [
      'It worked for three days and then it stopped.',
      'After a week it stopped working.',
      'It was fine at first, but now it does nothing.',
      'Yesterday it just stopped in the middle of the day.',
      'It ran well until Sunday. Now it is dead.',
    ],
  },
  {
    summary: 'it smells bad',
    texts: [
      'It has a bad smell.',
      'It smells bad, even after a week.',
      'The smell is so strong that I had to put it outside.',
      'My whole room smells since I opened it.',
      'It smells like old fish.',
    ],
  },
  {
    summary: 'it is a gift that nobody needs',
    texts: [
      'It was a gift for my aunt, but she already has one.',
      'It was meant as a gift. Nobody needs it now.',
      'My brother has the same one, so I cannot give it to him.',
      'We got two of them as gifts.',
      'I wanted to give it to a friend, but she does not need it.',
    ],
  },
];

/** The summary follows the name. */
export const WANTS: readonly (Fact & { subject: string })[] = [
  {
    summary: 'wants a refund for {product}',
    subject: 'Refund for {product}',
    texts: [
      'I would like my money back.',
      'Please refund me.',
      'Please send the money back to my account.',
      'I want a full refund.',
      'Can I have my money back?',
      'How do I get my money back?',
    ],
  },
  {
    summary: 'wants to exchange {product}',
    subject: 'Exchange of {product}',
    texts: [
      'Please send me another one in its place.',
      'I would like to exchange it.',
      'Can I change it for a new one?',
      'I want to swap it for another one.',
      'Could you exchange it?',
      'Please take it back and send me a different one.',
    ],
  },
  {
    summary: 'wants a discount on {product}',
    subject: 'Discount on {product}',
    texts: [
      'I will keep it if I pay less.',
      'Can you give me a discount?',
      'I think a lower price would be fair.',
      'Could you take something off the price?',
      'I would like a discount.',
      'Please make me a better price.',
    ],
  },
  {
    summary: 'wants to send {product} back',
    subject: 'Return of {product}',
    texts: [
      'How can I send it back?',
      'I want to return it.',
      'Please send me a label so that I can return it.',
      'Where do I send it back to?',
      'I would like to send it back to you.',
      'Can somebody pick it up? I am returning it.',
    ],
  },
  {
    summary: 'wants to speak to somebody about {product}',
    subject: 'Please call about {product}',
    texts: [
      'Please call me.',
      'I would like to talk to somebody about this.',
      'Can somebody ring me up today?',
      'I want to speak to a person, not a machine.',
      'When can I talk to one of you?',
      'Please give me a call this week.',
    ],
  },
];

export const OPENINGS = [
  'I bought {product} in your shop.',
  'I ordered {product} last week.',
  'I have a problem with {product}.',
  'On {date} I got {product} from you.',
  'This is about {product}.',
  'Last month I ordered {product} on your page.',
  'My sister told me to buy {product}, so I did.',
  'I paid {amount} for {product}.',
  'I am not happy with {product}.',
  'A few days ago {product} was delivered to me.',
  'You sent me {product}.',
  'I have had {product} since {date}.',
];
