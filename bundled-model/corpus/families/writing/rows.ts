// Some things of a kind: always the first of its row, so that there is one right answer.

/** Ten of each kind. */
export const ROWS: Readonly<Record<string, readonly string[]>> = {
  fruits: 'apple, banana, pear, grape, cherry, orange, lemon, melon, peach, plum'.split(', '),
  vegetables: 'carrot, onion, potato, cabbage, bean, pea, spinach, leek, radish, pumpkin'.split(', '),
  drinks: 'water, tea, coffee, milk, juice, lemonade, cocoa, cola, wine, beer'.split(', '),
  animals: 'dog, cat, horse, cow, lion, tiger, bear, wolf, fox, elephant'.split(', '),
  'farm animals': 'cow, pig, sheep, goat, horse, hen, duck, goose, donkey, turkey'.split(', '),
  pets: 'dog, cat, rabbit, hamster, parrot, goldfish, turtle, guinea pig, canary, mouse'.split(', '),
  birds: 'robin, sparrow, eagle, owl, swan, duck, crow, pigeon, parrot, penguin'.split(', '),
  insects: 'bee, ant, fly, beetle, wasp, butterfly, moth, mosquito, cricket, dragonfly'.split(', '),
  colours: 'red, blue, green, yellow, black, white, brown, purple, orange, pink'.split(', '),
  tools: 'hammer, saw, screwdriver, drill, axe, wrench, shovel, rake, pliers, chisel'.split(', '),
  vehicles: 'car, bus, train, bicycle, truck, tram, ship, van, tractor, motorbike'.split(', '),
  'pieces of clothing': 'shirt, coat, dress, skirt, sock, scarf, glove, hat, jacket, sweater'.split(', '),
  'pieces of furniture': 'chair, table, bed, sofa, desk, bench, stool, wardrobe, armchair, bookcase'.split(
    ', ',
  ),
  'musical instruments': 'piano, guitar, violin, flute, drum, trumpet, harp, cello, clarinet, banjo'.split(
    ', ',
  ),
  sports: 'football, tennis, swimming, running, golf, hockey, rugby, judo, cycling, rowing'.split(', '),
  hobbies: 'reading, cooking, painting, dancing, singing, hiking, fishing, chess, gardening, knitting'.split(
    ', ',
  ),
  trees: 'oak, pine, birch, maple, willow, fir, beech, elm, spruce, poplar'.split(', '),
  flowers: 'rose, tulip, daisy, lily, sunflower, poppy, orchid, daffodil, iris, violet'.split(', '),
  metals: 'iron, gold, silver, copper, lead, tin, zinc, nickel, aluminium, platinum'.split(', '),
  countries: 'France, Spain, Italy, Germany, Poland, Norway, Sweden, Japan, Brazil, Egypt'.split(', '),
  languages: 'English, French, Spanish, German, Italian, Polish, Greek, Turkish, Arabic, Japanese'.split(
    ', ',
  ),
  jobs: 'teacher, nurse, doctor, baker, farmer, driver, painter, lawyer, cook, pilot'.split(', '),
  'rooms in a house':
    'kitchen, bathroom, bedroom, living room, hall, study, cellar, attic, dining room, nursery'.split(', '),
  'parts of the body': 'head, arm, leg, hand, foot, eye, ear, nose, mouth, back'.split(', '),
  'things in a kitchen': 'pan, pot, plate, spoon, fork, knife, bowl, cup, kettle, oven'.split(', '),
  'things in a school bag': 'book, pen, pencil, ruler, notebook, eraser, lunchbox, bottle, map, glue'.split(
    ', ',
  ),
  'members of a family':
    'mother, father, sister, brother, aunt, uncle, cousin, daughter, son, grandmother'.split(', '),
  'school subjects':
    'maths, English, history, music, art, sport, biology, physics, chemistry, geography'.split(', '),
  feelings: 'joy, anger, fear, love, hope, pride, shame, envy, grief, surprise'.split(', '),
  shapes: 'circle, square, triangle, oval, cube, cone, rectangle, hexagon, pentagon, octagon'.split(', '),
  materials: 'wood, glass, paper, steel, stone, cotton, wool, plastic, leather, clay'.split(', '),
  toys: 'ball, doll, puzzle, kite, train set, teddy bear, yo-yo, marbles, blocks, drum'.split(', '),
  buildings: 'house, school, church, hospital, museum, castle, factory, tower, library, barn'.split(', '),
};
