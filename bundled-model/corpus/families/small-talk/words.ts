// What small talk is about: closed lists of feelings and weather, and what people tell about themselves.

export const GOOD_FEELINGS = (
  'happy, glad, excited, cheerful, proud, relaxed, calm, hopeful, great, wonderful, thankful, ' +
  'joyful, lucky, good, well, fine, fresh, strong, peaceful, full of energy'
).split(', ');

export const BAD_FEELINGS = (
  'sad, lonely, upset, down, unhappy, worried, nervous, afraid, stressed, lost, hurt, bad, blue, ' +
  'low, anxious, confused, disappointed, scared'
).split(', ');

export const TIRED_FEELINGS = ['tired', 'sleepy', 'very tired', 'worn out', 'exhausted', 'weak'];

export const ANGRY_FEELINGS = ['angry', 'annoyed', 'mad', 'very angry', 'cross', 'a bit angry'];

export const SICK_FEELINGS = ['ill', 'sick', 'unwell', 'a bit sick', 'very ill', 'dizzy', 'not so well'];

export const GOOD_WEATHER = 'sunny, warm, bright, lovely, clear, mild, nice, beautiful, dry, fine'.split(
  ', ',
);

export const BAD_WEATHER =
  'rainy, cold, windy, grey, stormy, foggy, wet, cloudy, freezing, dark, chilly'.split(', ');

export const DAYS = 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday'.split(', ');

export const COLOURS =
  'red, blue, green, yellow, orange, purple, pink, brown, black, white, grey, gold, silver'.split(', ');

export const PETS = 'dog, cat, rabbit, horse, parrot, hamster, goldfish, turtle, puppy, kitten'.split(', ');

export const RELATIVES =
  'sister, brother, mother, father, aunt, uncle, cousin, friend, neighbour, daughter, son, teacher'.split(
    ', ',
  );

/** Of people whose first name may be any. */
export const CONTACTS =
  'friend, best friend, old friend, cousin, neighbour, colleague, teacher, boss, partner, doctor'.split(', ');

export const HOBBIES = (
  'reading, swimming, cooking, baking, painting, drawing, singing, dancing, running, walking, ' +
  'hiking, cycling, fishing, sailing, skating, skiing, climbing, gardening, knitting, sewing, ' +
  'writing, travelling, camping, photography, chess, football, tennis, basketball, golf, yoga, ' +
  'music, films, board games, card games, puzzles, video games, history, science, astronomy, birds, ' +
  'trains, old cars, model planes, pottery, woodwork, poetry, theatre, opera, jazz, rock music, ' +
  'playing the piano, playing the guitar, playing the violin, playing the drums, collecting stamps, ' +
  'collecting coins, collecting stones, long walks, bike rides, riding horses, rowing, surfing, ' +
  'diving, boxing, judo, karate, volleyball, hockey, cricket, rugby, badminton, table tennis, ' +
  'making bread, making candles, growing tomatoes, growing roses, watching birds, ' +
  'watching the stars, learning languages, crosswords, magic tricks, comics, short stories, ' +
  'old maps, museums, picnics, folk songs'
).split(', ');

export const FOODS = (
  'pizza, pasta, soup, rice, bread, cheese, chocolate, ice cream, apple pie, pancakes, salad, fish, ' +
  'chicken, noodles, sushi, curry, tacos, burgers, sandwiches, potatoes, tomato soup, fried eggs, ' +
  'omelettes, honey, strawberries, bananas, mangoes, grapes, oranges, cherries, peaches, carrots, ' +
  'mushrooms, beans, corn, pumpkin soup, lentils, dumplings, waffles, cookies, carrot cake, ' +
  'cheesecake, lemon cake, yogurt, nuts, popcorn, toast, porridge, meatballs, lasagne, risotto, ' +
  'paella, falafel, hummus, olives, pickles, garlic bread, fried rice, roast chicken, ' +
  'fish and chips, vegetable stew, onion rings, baked beans, fruit salad, rice pudding, ' +
  'cinnamon rolls, blueberries, raspberries, watermelon, peanut butter, mashed potatoes, ' +
  'spring rolls, tomato sauce, spinach'
).split(', ');

export const JOBS = (
  'a teacher, a nurse, a doctor, a cook, a baker, a farmer, a driver, a pilot, a painter, a writer, ' +
  'a singer, a dancer, a gardener, a builder, a plumber, a carpenter, a tailor, a barber, a lawyer, ' +
  'a judge, a banker, a clerk, a cashier, a waiter, an engineer, an artist, an actor, an architect, ' +
  'a scientist, a librarian, a journalist, a photographer, a musician, a mechanic, an electrician, ' +
  'a dentist, a vet, a firefighter, a police officer, a soldier, a sailor, a fisherman, a butcher, ' +
  'a florist, a cleaner, a manager, a secretary, an accountant, a salesman, a programmer, ' +
  'a designer, a translator, a guide, a coach, a postman, a shop owner, a taxi driver, a bus driver, ' +
  'a train driver, a chemist, a surgeon, a professor, a researcher, a trainer, a receptionist, ' +
  'a bookseller, a jeweller, a potter, a roofer, a welder, a locksmith, a beekeeper, a tour guide'
).split(', ');
