// Nouns of four languages: the English one and its plural, what it is, then French, Spanish and German, each with an
// article that shows the gender, and its plural; a dash where no plural is used. A word stands for one thing only.

/** `english | plural | tags | french | plural | spanish | plural | german | plural` */
export const NOUN_ROWS = `
dog | dogs | animal own | un chien | chiens | un perro | perros | der Hund | Hunde
cat | cats | animal own | un chat | chats | un gato | gatos | die Katze | Katzen
horse | horses | animal own | un cheval | chevaux | un caballo | caballos | das Pferd | Pferde
cow | cows | animal | une vache | vaches | una vaca | vacas | die Kuh | Kühe
bird | birds | animal | un oiseau | oiseaux | un pájaro | pájaros | der Vogel | Vögel
mouse | mice | animal | une souris | souris | un ratón | ratones | die Maus | Mäuse
rabbit | rabbits | animal | un lapin | lapins | un conejo | conejos | das Kaninchen | Kaninchen
duck | ducks | animal | un canard | canards | un pato | patos | die Ente | Enten
pig | pigs | animal | un cochon | cochons | un cerdo | cerdos | das Schwein | Schweine
goat | goats | animal | une chèvre | chèvres | una cabra | cabras | die Ziege | Ziegen
frog | frogs | animal | une grenouille | grenouilles | una rana | ranas | der Frosch | Frösche
wolf | wolves | animal | un loup | loups | un lobo | lobos | der Wolf | Wölfe
bee | bees | animal | une abeille | abeilles | una abeja | abejas | die Biene | Bienen
spider | spiders | animal | une araignée | araignées | una araña | arañas | die Spinne | Spinnen
fox | foxes | animal | un renard | renards | un zorro | zorros | der Fuchs | Füchse
turtle | turtles | animal | une tortue | tortues | una tortuga | tortugas | die Schildkröte | Schildkröten
snake | snakes | animal | un serpent | serpents | una serpiente | serpientes | die Schlange | Schlangen
butterfly | butterflies | animal | un papillon | papillons | una mariposa | mariposas | der Schmetterling | Schmetterlinge
hen | hens | animal | une poule | poules | una gallina | gallinas | die Henne | Hennen
apple | apples | fruit | une pomme | pommes | una manzana | manzanas | der Apfel | Äpfel
pear | pears | fruit | une poire | poires | una pera | peras | die Birne | Birnen
orange | oranges | fruit | une orange | oranges | una naranja | naranjas | die Orange | Orangen
lemon | lemons | vegetable | un citron | citrons | un limón | limones | die Zitrone | Zitronen
banana | bananas | fruit | une banane | bananes | un plátano | plátanos | die Banane | Bananen
peach | peaches | fruit | une pêche | pêches | un melocotón | melocotones | der Pfirsich | Pfirsiche
cherry | cherries | fruit | une cerise | cerises | una cereza | cerezas | die Kirsche | Kirschen
strawberry | strawberries | fruit | une fraise | fraises | una fresa | fresas | die Erdbeere | Erdbeeren
tomato | tomatoes | vegetable | une tomate | tomates | un tomate | tomates | die Tomate | Tomaten
potato | potatoes | vegetable | une pomme de terre | pommes de terre | una patata | patatas | die Kartoffel | Kartoffeln
carrot | carrots | vegetable | une carotte | carottes | una zanahoria | zanahorias | die Karotte | Karotten
onion | onions | vegetable | un oignon | oignons | una cebolla | cebollas | die Zwiebel | Zwiebeln
mushroom | mushrooms | vegetable | un champignon | champignons | una seta | setas | der Pilz | Pilze
egg | eggs | vegetable | un œuf | œufs | un huevo | huevos | das Ei | Eier
cake | cakes | dish | un gâteau | gâteaux | un pastel | pasteles | der Kuchen | Kuchen
cookie | cookies | dish | un biscuit | biscuits | una galleta | galletas | der Keks | Kekse
sandwich | sandwiches | dish | un sandwich | sandwichs | un bocadillo | bocadillos | das Sandwich | Sandwiches
salad | salads | dish | une salade | salades | una ensalada | ensaladas | der Salat | Salate
soup | soups | dish warm | une soupe | soupes | una sopa | sopas | die Suppe | Suppen
pizza | pizzas | dish warm | une pizza | pizzas | una pizza | pizzas | die Pizza | Pizzas
coffee | - | drink warm | un café | - | un café | - | der Kaffee | -
tea | - | drink warm | un thé | - | un té | - | der Tee | -
beer | beers | drink | une bière | bières | una cerveza | cervezas | das Bier | Biere
juice | - | drink | un jus | - | un zumo | - | der Saft | -
book | books | thing | un livre | livres | un libro | libros | das Buch | Bücher
pen | pens | thing | un stylo | stylos | un bolígrafo | bolígrafos | der Kugelschreiber | Kugelschreiber
pencil | pencils | thing | un crayon | crayons | un lápiz | lápices | der Bleistift | Bleistifte
bag | bags | thing container opens | un sac | sacs | una bolsa | bolsas | die Tasche | Taschen
suitcase | suitcases | thing container opens | une valise | valises | una maleta | maletas | der Koffer | Koffer
box | boxes | thing container opens | une boîte | boîtes | una caja | cajas | die Kiste | Kisten
basket | baskets | thing container | un panier | paniers | una cesta | cestas | der Korb | Körbe
key | keys | thing own | une clé | clés | una llave | llaves | der Schlüssel | Schlüssel
phone | phones | thing own device | un téléphone | téléphones | un teléfono | teléfonos | das Telefon | Telefone
computer | computers | thing own device | un ordinateur | ordinateurs | un ordenador | ordenadores | der Computer | Computer
camera | cameras | thing own device | un appareil photo | appareils photo | una cámara | cámaras | die Kamera | Kameras
watch | watches | thing own | une montre | montres | un reloj | relojes | die Uhr | Uhren
umbrella | umbrellas | thing own | un parapluie | parapluies | un paraguas | paraguas | der Regenschirm | Regenschirme
ball | balls | thing | un ballon | ballons | una pelota | pelotas | der Ball | Bälle
cup | cups | thing vessel | une tasse | tasses | una taza | tazas | die Tasse | Tassen
glass | glasses | thing vessel | un verre | verres | un vaso | vasos | das Glas | Gläser
bottle | bottles | thing vessel opens | une bouteille | bouteilles | una botella | botellas | die Flasche | Flaschen
plate | plates | thing | une assiette | assiettes | un plato | platos | der Teller | Teller
fork | forks | thing | une fourchette | fourchettes | un tenedor | tenedores | die Gabel | Gabeln
knife | knives | thing | un couteau | couteaux | un cuchillo | cuchillos | das Messer | Messer
spoon | spoons | thing | une cuillère | cuillères | una cuchara | cucharas | der Löffel | Löffel
newspaper | newspapers | thing | un journal | journaux | un periódico | periódicos | die Zeitung | Zeitungen
card | cards | thing | une carte | cartes | una tarjeta | tarjetas | die Karte | Karten
photo | photos | thing | une photo | photos | una foto | fotos | das Foto | Fotos
flower | flowers | thing | une fleur | fleurs | una flor | flores | die Blume | Blumen
candle | candles | thing | une bougie | bougies | una vela | velas | die Kerze | Kerzen
blanket | blankets | thing cloth | une couverture | couvertures | una manta | mantas | die Decke | Decken
towel | towels | thing cloth | une serviette | serviettes | una toalla | toallas | das Handtuch | Handtücher
pillow | pillows | thing cloth | un oreiller | oreillers | una almohada | almohadas | das Kissen | Kissen
gift | gifts | thing opens | un cadeau | cadeaux | un regalo | regalos | das Geschenk | Geschenke
toy | toys | thing | un jouet | jouets | un juguete | juguetes | das Spielzeug | Spielzeuge
guitar | guitars | thing own | une guitare | guitares | una guitarra | guitarras | die Gitarre | Gitarren
mirror | mirrors | thing | un miroir | miroirs | un espejo | espejos | der Spiegel | Spiegel
brush | brushes | thing | une brosse | brosses | un cepillo | cepillos | die Bürste | Bürsten
battery | batteries | thing | une pile | piles | una pila | pilas | die Batterie | Batterien
charger | chargers | thing own device | un chargeur | chargeurs | un cargador | cargadores | das Ladegerät | Ladegeräte
screen | screens | thing device | un écran | écrans | una pantalla | pantallas | der Bildschirm | Bildschirme
keyboard | keyboards | thing device | un clavier | claviers | un teclado | teclados | die Tastatur | Tastaturen
printer | printers | thing own device | une imprimante | imprimantes | una impresora | impresoras | der Drucker | Drucker
machine | machines | thing device | une machine | machines | una máquina | máquinas | die Maschine | Maschinen
wallet | wallets | thing own | un portefeuille | portefeuilles | una cartera | carteras | die Brieftasche | Brieftaschen
passport | passports | thing own | un passeport | passeports | un pasaporte | pasaportes | der Reisepass | Reisepässe
ticket | tickets | thing own mail | un billet | billets | un billete | billetes | die Fahrkarte | Fahrkarten
table | tables | furniture | une table | tables | una mesa | mesas | der Tisch | Tische
chair | chairs | furniture seat | une chaise | chaises | una silla | sillas | der Stuhl | Stühle
bed | beds | furniture seat | un lit | lits | una cama | camas | das Bett | Betten
sofa | sofas | furniture seat | un canapé | canapés | un sofá | sofás | das Sofa | Sofas
lamp | lamps | furniture | une lampe | lampes | una lámpara | lámparas | die Lampe | Lampen
shelf | shelves | furniture | une étagère | étagères | un estante | estantes | das Regal | Regale
carpet | carpets | furniture cloth | un tapis | tapis | una alfombra | alfombras | der Teppich | Teppiche
cupboard | cupboards | furniture container opens | un placard | placards | un armario | armarios | der Schrank | Schränke
fridge | fridges | furniture container opens | un réfrigérateur | réfrigérateurs | un frigorífico | frigoríficos | der Kühlschrank | Kühlschränke
oven | ovens | furniture opens | un four | fours | un horno | hornos | der Ofen | Öfen
door | doors | part opens | une porte | portes | una puerta | puertas | die Tür | Türen
window | windows | part opens | une fenêtre | fenêtres | una ventana | ventanas | das Fenster | Fenster
wall | walls | part | un mur | murs | una pared | paredes | die Wand | Wände
shirt | shirts | clothes | une chemise | chemises | una camisa | camisas | das Hemd | Hemden
shoe | shoes | clothes | une chaussure | chaussures | un zapato | zapatos | der Schuh | Schuhe
hat | hats | clothes | un chapeau | chapeaux | un sombrero | sombreros | der Hut | Hüte
coat | coats | clothes | un manteau | manteaux | un abrigo | abrigos | der Mantel | Mäntel
dress | dresses | clothes | une robe | robes | un vestido | vestidos | das Kleid | Kleider
skirt | skirts | clothes | une jupe | jupes | una falda | faldas | der Rock | Röcke
jacket | jackets | clothes | une veste | vestes | una chaqueta | chaquetas | die Jacke | Jacken
glove | gloves | clothes | un gant | gants | un guante | guantes | der Handschuh | Handschuhe
scarf | scarves | clothes | une écharpe | écharpes | una bufanda | bufandas | der Schal | Schals
sock | socks | clothes | une chaussette | chaussettes | un calcetín | calcetines | die Socke | Socken
boot | boots | clothes | une botte | bottes | una bota | botas | der Stiefel | Stiefel
sweater | sweaters | clothes | un pull | pulls | un jersey | jerséis | der Pullover | Pullover
belt | belts | clothes | une ceinture | ceintures | un cinturón | cinturones | der Gürtel | Gürtel
ring | rings | thing | une bague | bagues | un anillo | anillos | der Ring | Ringe
station | stations | place | une gare | gares | una estación | estaciones | der Bahnhof | Bahnhöfe
museum | museums | place hours | un musée | musées | un museo | museos | das Museum | Museen
shop | shops | place hours | un magasin | magasins | una tienda | tiendas | das Geschäft | Geschäfte
bank | banks | place hours | une banque | banques | un banco | bancos | die Bank | Banken
pharmacy | pharmacies | place hours | une pharmacie | pharmacies | una farmacia | farmacias | die Apotheke | Apotheken
hospital | hospitals | place | un hôpital | hôpitaux | un hospital | hospitales | das Krankenhaus | Krankenhäuser
school | schools | place | une école | écoles | una escuela | escuelas | die Schule | Schulen
church | churches | place | une église | églises | una iglesia | iglesias | die Kirche | Kirchen
restaurant | restaurants | place hours | un restaurant | restaurants | un restaurante | restaurantes | das Restaurant | Restaurants
hotel | hotels | place | un hôtel | hôtels | un hotel | hoteles | das Hotel | Hotels
library | libraries | place hours | une bibliothèque | bibliothèques | una biblioteca | bibliotecas | die Bibliothek | Bibliotheken
market | markets | place hours | un marché | marchés | un mercado | mercados | der Markt | Märkte
park | parks | place hours | un parc | parcs | un parque | parques | der Park | Parks
theater | theaters | place hours | un théâtre | théâtres | un teatro | teatros | das Theater | Theater
cinema | cinemas | place hours | un cinéma | cinémas | un cine | cines | das Kino | Kinos
bakery | bakeries | place hours | une boulangerie | boulangeries | una panadería | panaderías | die Bäckerei | Bäckereien
post office | post offices | place hours | un bureau de poste | bureaux de poste | una oficina de correos | oficinas de correos | das Postamt | Postämter
airport | airports | place | un aéroport | aéroports | un aeropuerto | aeropuertos | der Flughafen | Flughäfen
swimming pool | swimming pools | place hours | une piscine | piscines | una piscina | piscinas | das Schwimmbad | Schwimmbäder
castle | castles | place hours | un château | châteaux | un castillo | castillos | das Schloss | Schlösser
beach | beaches | place | une plage | plages | una playa | playas | der Strand | Strände
bridge | bridges | place long | un pont | ponts | un puente | puentes | die Brücke | Brücken
street | streets | place long | une rue | rues | una calle | calles | die Straße | Straßen
village | villages | place | un village | villages | un pueblo | pueblos | das Dorf | Dörfer
entrance | entrances | place | une entrée | entrées | una entrada | entradas | der Eingang | Eingänge
exit | exits | place | une sortie | sorties | una salida | salidas | der Ausgang | Ausgänge
university | universities | place | une université | universités | una universidad | universidades | die Universität | Universitäten
kitchen | kitchens | room | une cuisine | cuisines | una cocina | cocinas | die Küche | Küchen
garden | gardens | room | un jardin | jardins | un jardín | jardines | der Garten | Gärten
bathroom | bathrooms | room | une salle de bains | salles de bains | un baño | baños | das Badezimmer | Badezimmer
bedroom | bedrooms | room | une chambre | chambres | un dormitorio | dormitorios | das Schlafzimmer | Schlafzimmer
house | houses | room | une maison | maisons | una casa | casas | das Haus | Häuser
office | offices | room | un bureau | bureaux | una oficina | oficinas | das Büro | Büros
garage | garages | room | un garage | garages | un garaje | garajes | die Garage | Garagen
cellar | cellars | room | une cave | caves | un sótano | sótanos | der Keller | Keller
apartment | apartments | room | un appartement | appartements | un piso | pisos | die Wohnung | Wohnungen
car | cars | vehicle own | une voiture | voitures | un coche | coches | das Auto | Autos
train | trains | vehicle travel | un train | trains | un tren | trenes | der Zug | Züge
bus | buses | vehicle travel | un bus | bus | un autobús | autobuses | der Bus | Busse
bicycle | bicycles | vehicle own | un vélo | vélos | una bicicleta | bicicletas | das Fahrrad | Fahrräder
boat | boats | vehicle own | un bateau | bateaux | un barco | barcos | das Boot | Boote
plane | planes | vehicle travel | un avion | avions | un avión | aviones | das Flugzeug | Flugzeuge
truck | trucks | vehicle own | un camion | camions | un camión | camiones | der Lastwagen | Lastwagen
taxi | taxis | vehicle travel | un taxi | taxis | un taxi | taxis | das Taxi | Taxis
boy | boys | person | un garçon | garçons | un chico | chicos | der Junge | Jungen
girl | girls | person | une fille | filles | una chica | chicas | das Mädchen | Mädchen
man | men | person | un homme | hommes | un hombre | hombres | der Mann | Männer
woman | women | person | une femme | femmes | una mujer | mujeres | die Frau | Frauen
child | children | person | un enfant | enfants | un niño | niños | das Kind | Kinder
father | fathers | person mine | un père | pères | un padre | padres | der Vater | Väter
mother | mothers | person mine | une mère | mères | una madre | madres | die Mutter | Mütter
brother | brothers | person mine | un frère | frères | un hermano | hermanos | der Bruder | Brüder
sister | sisters | person mine | une sœur | sœurs | una hermana | hermanas | die Schwester | Schwestern
uncle | uncles | person mine | un oncle | oncles | un tío | tíos | der Onkel | Onkel
aunt | aunts | person mine | une tante | tantes | una tía | tías | die Tante | Tanten
teacher | teachers | person | un professeur | professeurs | un profesor | profesores | der Lehrer | Lehrer
doctor | doctors | person | un médecin | médecins | un médico | médicos | der Arzt | Ärzte
waiter | waiters | person | un serveur | serveurs | un camarero | camareros | der Kellner | Kellner
customer | customers | person | un client | clients | un cliente | clientes | der Kunde | Kunden
driver | drivers | person | un chauffeur | chauffeurs | un conductor | conductores | der Fahrer | Fahrer
baker | bakers | person | un boulanger | boulangers | un panadero | panaderos | der Bäcker | Bäcker
king | kings | person | un roi | rois | un rey | reyes | der König | Könige
queen | queens | person | une reine | reines | una reina | reinas | die Königin | Königinnen
order | orders | service mail payable | une commande | commandes | un pedido | pedidos | die Bestellung | Bestellungen
package | packages | service mail opens | un colis | colis | un paquete | paquetes | das Paket | Pakete
invoice | invoices | service mail payable info | une facture | factures | una factura | facturas | die Rechnung | Rechnungen
letter | letters | service mail opens long words | une lettre | lettres | una carta | cartas | der Brief | Briefe
message | messages | service long words | un message | messages | un mensaje | mensajes | die Nachricht | Nachrichten
answer | answers | service info words | une réponse | réponses | una respuesta | respuestas | die Antwort | Antworten
question | questions | service words | une question | questions | una pregunta | preguntas | die Frage | Fragen
contract | contracts | service mail long | un contrat | contrats | un contrato | contratos | der Vertrag | Verträge
account | accounts | service own | un compte | comptes | una cuenta | cuentas | das Konto | Konten
refund | refunds | service | un remboursement | remboursements | un reembolso | reembolsos | die Rückerstattung | Rückerstattungen
appointment | appointments | service own | un rendez-vous | rendez-vous | una cita | citas | der Termin | Termine
address | addresses | service info | une adresse | adresses | una dirección | direcciones | die Adresse | Adressen
offer | offers | service words | une offre | offres | una oferta | ofertas | das Angebot | Angebote
list | lists | service info long | une liste | listes | una lista | listas | die Liste | Listen
meeting | meetings | service long | une réunion | réunions | una reunión | reuniones | die Besprechung | Besprechungen
password | passwords | service info own | un mot de passe | mots de passe | una contraseña | contraseñas | das Passwort | Passwörter
form | forms | service info | un formulaire | formulaires | un formulario | formularios | das Formular | Formulare
price | prices | service info | un prix | prix | un precio | precios | der Preis | Preise
reservation | reservations | service own payable | une réservation | réservations | una reserva | reservas | die Reservierung | Reservierungen
`;
