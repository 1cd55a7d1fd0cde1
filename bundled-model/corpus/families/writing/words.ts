// What is written about. Each list fits into all the sentences of its kind.

export const ANIMALS = (
  'dog, cat, horse, cow, pig, sheep, goat, rabbit, mouse, fox, wolf, bear, lion, tiger, monkey, ' +
  'zebra, giraffe, camel, elephant, kangaroo, koala, panda, deer, squirrel, hedgehog, beaver, otter, ' +
  'badger, donkey, pony, hen, duck, goose, swan, owl, eagle, hawk, crow, robin, parrot, penguin, ' +
  'pigeon, turkey, frog, toad, snake, lizard, turtle, tortoise, crocodile, spider, beetle, snail, ' +
  'hamster, ferret, leopard, cheetah, puppy, kitten, lamb, calf, foal, bat, mole, seal, walrus, ' +
  'llama, buffalo, rhino, hippo, gorilla, peacock, flamingo, raven'
).split(', ');

export const OBJECTS = (
  'book, pen, pencil, cup, plate, spoon, fork, knife, glass, bottle, bag, box, key, lamp, clock, ' +
  'watch, phone, radio, camera, letter, card, map, ticket, coin, purse, hat, scarf, glove, ring, ' +
  'ball, toy, doll, puzzle, basket, bowl, pan, kettle, candle, mirror, comb, brush, towel, blanket, ' +
  'pillow, umbrella, notebook, newspaper, magazine, ruler, hammer, screwdriver, torch, battery, ' +
  'cable, keyboard, laptop, tablet, vase, picture, photo, stamp, envelope, calendar, folder, ' +
  'stapler, needle, thread, button, rope, bell, whistle, flute, violin, drum, trumpet, helmet, ' +
  'wallet, passport, suitcase, lunchbox, teapot, jug, tray, napkin'
).split(', ');

export const PLACES = (
  'park, school, library, station, market, beach, lake, river, museum, theatre, cinema, church, ' +
  'hospital, bank, hotel, airport, harbour, bridge, castle, farm, garden, forest, zoo, bakery, ' +
  'restaurant, supermarket, pharmacy, office, factory, stadium, pool, playground, bookshop, ' +
  'bus stop, post office, town hall, square, tower, mill, barn, campsite, village, pier, gallery, ' +
  'gym, garage, workshop, university, fountain, gate, lighthouse, monument, greenhouse, vineyard, ' +
  'orchard, mountain hut, ferry, tram stop, petrol station, shopping centre, concert hall, ' +
  'courthouse, kiosk, flower shop, fish market, tea house, coffee shop, boathouse, riverbank, palace'
).split(', ');

export const ACTIONS = (
  'walk, run, swim, sing, dance, read, write, cook, bake, paint, draw, play, laugh, talk, work, ' +
  'rest, jump, climb, ride, sail, fish, hike, jog, travel, study, learn, practise, train, relax, ' +
  'think, listen, whistle, knit, sew, skate, ski, surf, row, dive, camp, garden, shop, chat, smile, ' +
  'pray, hum, stretch, exercise, explore, wander, eat, drink, sleep, dream, cycle, drive, clean, ' +
  'wash, build, plant, volunteer, rehearse, perform, experiment, meditate, celebrate'
).split(', ');

export const QUALITIES = (
  'old, new, clean, dirty, quiet, strange, lovely, ugly, pretty, beautiful, simple, modern, empty, ' +
  'warm, cold, bright, dark, small, large, cheap, expensive, safe, dangerous, friendly, green, blue, ' +
  'red, white, black, yellow, grey, brown, golden, fresh, dry, wet, tidy, messy, cosy, comfortable, ' +
  'famous, important, interesting, boring, funny, perfect, normal, special, unusual, peaceful, busy, ' +
  'colourful, elegant, huge, tiny, wonderful, terrible, broken, sunny, dusty, shiny, lonely, ' +
  'magical, pleasant, plain, solid, private, noisy, smart, fantastic'
).split(', ');

export const PEOPLE = (
  'teacher, nurse, doctor, baker, farmer, driver, pilot, painter, writer, singer, dancer, gardener, ' +
  'builder, plumber, carpenter, tailor, barber, lawyer, judge, waiter, engineer, artist, actor, ' +
  'architect, scientist, librarian, journalist, photographer, musician, mechanic, electrician, ' +
  'dentist, vet, firefighter, soldier, sailor, butcher, florist, cleaner, manager, secretary, ' +
  'accountant, programmer, designer, translator, guide, coach, postman, chemist, surgeon, professor, ' +
  'trainer, receptionist, jeweller, potter, roofer, locksmith, cook, clerk, cashier, detective, ' +
  'astronaut, sculptor, poet, violinist, drummer, magician'
).split(', ');

/** After "thank you for". */
export const GIFTS = (
  'the book, the flowers, the cake, the card, the letter, the photos, the tea, the coffee, ' +
  'the chocolate, the scarf, the hat, the gloves, the lamp, the vase, the candle, the picture, ' +
  'the puzzle, the game, the music, the ticket, the bike, the camera, the watch, the ring, the bag, ' +
  'the blanket, the bowl, the cups, the plates, the wine, the cheese, the bread, the cookies, ' +
  'the apples, the honey, the jam, the dinner, the lunch, the breakfast, the party, the concert, ' +
  'the walk, the visit, the tour, the trip, the weekend, the evening, the advice, the good news, ' +
  'the help, the time we had, the support, the email, the call, the gift, the trust, the patience, ' +
  'the kind words, the good work, the quick reply, the order, the idea, the invitation, ' +
  'the friendship, the lift to the airport, the help with the move, the nice talk, the warm welcome, ' +
  'the cinema evening, the plants, the seeds, the tools, the umbrella, the notebook, the pen, ' +
  'the toys, the postcard, the dance, the ride, the soup, the pie, the map, the recipe'
).split(', ');

/** After "invitation to" and "come to". */
export const EVENTS = (
  'the party, the dinner, the lunch, the wedding, the concert, the meeting, the picnic, ' +
  'the barbecue, the birthday party, the garden party, the summer party, the school play, ' +
  'the opening, the reading, the tea party, the film night, the game night, the football game, ' +
  'the tennis match, the workshop, the course, the talk, the exhibition, the market, the dance, ' +
  'the show, the parade, the festival, the family dinner, the team lunch, the office party, ' +
  'the breakfast, the brunch, the boat trip, the hike, the bike tour, the museum tour, ' +
  'the city walk, the book club, the choir evening, the quiz night, the cooking class, ' +
  'the art class, the yoga class, the charity run, the flea market, the open day, ' +
  'the farewell party, the welcome party, the anniversary, the ceremony, the conference, ' +
  'the training, the interview, the rehearsal, the wine evening, the poetry evening, ' +
  'the puppet show, the magic show, the karaoke night'
).split(', ');

/** After "it is". */
export const FEATURES = (
  'light, strong, quiet, fast, small, cheap, safe, soft, warm, colourful, simple, modern, elegant, ' +
  'gentle, comfortable, solid, compact, foldable, washable, flexible, bright, waterproof, silent, ' +
  'stable, precise, reliable, wireless, thin, handy, sturdy, smooth, fresh, neat, pretty, beautiful, ' +
  'round, flat, practical, durable, useful, lovely, stylish, slim, tough, efficient, powerful, ' +
  'spacious, adjustable, portable, rechargeable, clever, tidy, friendly, accurate, robust, charming, ' +
  'classic, festive, natural, organic, original, unique'
).split(', ');

/** After "it is … and". */
export const USES = (
  'easy to clean, easy to use, easy to carry, easy to repair, easy to store, easy to open, ' +
  'easy to love, easy to build, easy to wash, easy to fold, easy to fill, easy to move, ' +
  'made of wood, made to last, made by hand, made for two, made for the garden, ' +
  'made for the kitchen, made for long walks, made for the beach, made for rainy days, ' +
  'made for small rooms, made in one piece, safe for children, good for travel, good for beginners, ' +
  'good for two, good for the whole family, good for the back, good for parties, ' +
  'good for every season, perfect for the office, perfect for picnics, perfect for a gift, ' +
  'perfect for winter, perfect for camping, simple to set up, simple to keep, quick to charge, ' +
  'quick to learn, quick to clean, ready in a minute, free of plastic, kind to the skin, ' +
  'nice to touch, nice to look at, hard to break, hard to lose, small enough for any bag, ' +
  'quiet enough for the night, strong enough for every day, a great gift, a great help, ' +
  'a joy to use'
).split(', ');

/** After "remind NAME to". */
export const TASKS = (
  'buy milk, call the bank, pay the rent, feed the cat, water the plants, send the letter, ' +
  'book the hotel, clean the kitchen, bring the keys, lock the door, take the bins out, ' +
  'pick up the parcel, return the books, sign the form, send the report, check the numbers, ' +
  'print the tickets, order the cake, wash the car, call the doctor, buy a present, pack the bags, ' +
  'charge the phone, turn off the heater, write the invoice, walk the dog, close the windows, ' +
  'bring an umbrella, answer the email, update the list, prepare the talk, reserve a table, ' +
  'renew the passport, buy stamps, fix the bike, mow the lawn, iron the shirt, change the bulb, ' +
  'read the contract, fill in the form, back up the files, clear the desk, order paper, ' +
  'empty the fridge, meet the plumber, collect the tickets, bring the cake, take the medicine, ' +
  'hang up the washing, set the alarm, visit grandma, buy bread, finish the slides, check the tyres, ' +
  'send the photos, call the school, order new chairs, plan the trip, write the card, count the boxes'
).split(', ');

export const TRAITS = (
  'kind, funny, honest, patient, clever, brave, calm, polite, friendly, helpful, careful, creative, ' +
  'cheerful, loyal, generous, curious, modest, gentle, strong, reliable, punctual, tidy, quiet, ' +
  'lively, wise, fair, warm, open, quick, thoughtful, organised, sporty, relaxed, sensible, witty, ' +
  'confident, humble, bright, charming, discreet, focused, humorous, joyful, keen, mature, nice, ' +
  'neat, open minded, optimistic, playful, sincere, sociable, steady, tolerant, hard working'
).split(', ');

/** After "NAME is … and". */
export const MERITS = (
  'good with numbers, good with people, good with animals, good with children, good with words, ' +
  'good at chess, good at tennis, good at cooking, full of ideas, full of energy, full of life, ' +
  'full of hope, always on time, always ready to help, always in a good mood, always well prepared, ' +
  'always fair, never late, never angry, never tired, never alone, easy to talk to, ' +
  'easy to work with, easy to like, a good listener, a good cook, a good singer, a good swimmer, ' +
  'a great friend, a great dancer, a great neighbour, a fast learner, a fast runner, a team player, ' +
  'a fine painter, a careful driver, a keen reader, a born leader, a loyal friend, a gifted writer, ' +
  'a patient teacher, fond of animals, fond of music, fond of nature, fond of books, ' +
  'fond of old films, well read, well known in town, happy to help, happy to share, quick to help, ' +
  'quick to learn, slow to anger, at home everywhere, one of a kind'
).split(', ');
