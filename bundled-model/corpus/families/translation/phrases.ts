// Phrases and words that are learned whole: nothing can be put together from parts, so none of it is held out.

/** `English | French | Spanish | German` */
export const PHRASE_ROWS = `
Hello. | Bonjour. | Hola. | Hallo.
Good night. | Bonne nuit. | Buenas noches. | Gute Nacht.
Goodbye. | Au revoir. | Adiós. | Auf Wiedersehen.
Thank you. | Merci. | Gracias. | Danke.
Thank you very much. | Merci beaucoup. | Muchas gracias. | Vielen Dank.
You're welcome. | De rien. | De nada. | Gern geschehen.
Excuse me. | Excusez-moi. | Disculpe. | Entschuldigung.
How are you? | Comment allez-vous ? | ¿Cómo está? | Wie geht es Ihnen?
See you tomorrow. | À demain. | Hasta mañana. | Bis morgen.
See you soon. | À bientôt. | Hasta pronto. | Bis bald.
Good luck! | Bonne chance ! | ¡Buena suerte! | Viel Glück!
Happy birthday! | Joyeux anniversaire ! | ¡Feliz cumpleaños! | Alles Gute zum Geburtstag!
Enjoy your meal! | Bon appétit ! | ¡Buen provecho! | Guten Appetit!
Have a good trip! | Bon voyage ! | ¡Buen viaje! | Gute Reise!
Happy New Year! | Bonne année ! | ¡Feliz año nuevo! | Frohes neues Jahr!
I do not understand. | Je ne comprends pas. | No entiendo. | Ich verstehe nicht.
I do not know. | Je ne sais pas. | No lo sé. | Ich weiß es nicht.
Do you speak English? | Parlez-vous anglais ? | ¿Habla inglés? | Sprechen Sie Englisch?
What time is it? | Quelle heure est-il ? | ¿Qué hora es? | Wie spät ist es?
How much does it cost? | Combien ça coûte ? | ¿Cuánto cuesta? | Wie viel kostet es?
I am hungry. | J'ai faim. | Tengo hambre. | Ich habe Hunger.
I am thirsty. | J'ai soif. | Tengo sed. | Ich habe Durst.
I need help. | J'ai besoin d'aide. | Necesito ayuda. | Ich brauche Hilfe.
Can you help me? | Pouvez-vous m'aider ? | ¿Puede ayudarme? | Können Sie mir helfen?
One moment, please. | Un moment, s'il vous plaît. | Un momento, por favor. | Einen Moment, bitte.
Of course. | Bien sûr. | Por supuesto. | Natürlich.
No problem. | Pas de problème. | No hay problema. | Kein Problem.
It is raining. | Il pleut. | Está lloviendo. | Es regnet.
It is cold. | Il fait froid. | Hace frío. | Es ist kalt.
It is hot. | Il fait chaud. | Hace calor. | Es ist heiß.
It is late. | Il est tard. | Es tarde. | Es ist spät.
What is your name? | Comment vous appelez-vous ? | ¿Cómo se llama? | Wie heißen Sie?
Where are you from? | D'où venez-vous ? | ¿De dónde es? | Woher kommen Sie?
Yes, please. | Oui, s'il vous plaît. | Sí, por favor. | Ja, bitte.
No, thank you. | Non, merci. | No, gracias. | Nein, danke.
I agree. | Je suis d'accord. | Estoy de acuerdo. | Ich bin einverstanden.
Thank you for your help. | Merci pour votre aide. | Gracias por su ayuda. | Danke für Ihre Hilfe.
Thank you for your patience. | Merci pour votre patience. | Gracias por su paciencia. | Danke für Ihre Geduld.
Please wait. | Attendez, s'il vous plaît. | Espere, por favor. | Bitte warten Sie.
I am learning French. | J'apprends le français. | Estoy aprendiendo francés. | Ich lerne Französisch.
Where do you live? | Où habitez-vous ? | ¿Dónde vive? | Wo wohnen Sie?
I live here. | J'habite ici. | Vivo aquí. | Ich wohne hier.
I am at home. | Je suis à la maison. | Estoy en casa. | Ich bin zu Hause.
We are here. | Nous sommes ici. | Estamos aquí. | Wir sind hier.
Today is {day}. | Aujourd'hui, c'est {day}. | Hoy es {day}. | Heute ist {day}.
Tomorrow is {day}. | Demain, c'est {day}. | Mañana es {day}. | Morgen ist {day}.
We are closed on {days}. | Nous sommes fermés le {day}. | Cerramos los {days}. | Wir haben {days} geschlossen.
See you on {day}! | À {day} ! | ¡Hasta el {day}! | Bis {day}!
{day} | {day} | {day} | {day}
{number} | {number} | {number} | {number}
one | un | uno | eins
yes | oui | sí | ja
no | non | no | nein
today | aujourd'hui | hoy | heute
tomorrow | demain | mañana | morgen
yesterday | hier | ayer | gestern
always | toujours | siempre | immer
never | jamais | nunca | nie
here | ici | aquí | hier
and | et | y | und
or | ou | o | oder
with | avec | con | mit
without | sans | sin | ohne
January | janvier | enero | Januar
February | février | febrero | Februar
March | mars | marzo | März
April | avril | abril | April
May | mai | mayo | Mai
June | juin | junio | Juni
July | juillet | julio | Juli
August | août | agosto | August
September | septembre | septiembre | September
October | octobre | octubre | Oktober
November | novembre | noviembre | November
December | décembre | diciembre | Dezember
`;

/** `English | plural | French | Spanish | plural | German | as an adverb` */
export const DAY_ROWS = `
Monday | Mondays | lundi | lunes | lunes | Montag | montags
Tuesday | Tuesdays | mardi | martes | martes | Dienstag | dienstags
Wednesday | Wednesdays | mercredi | miércoles | miércoles | Mittwoch | mittwochs
Thursday | Thursdays | jeudi | jueves | jueves | Donnerstag | donnerstags
Friday | Fridays | vendredi | viernes | viernes | Freitag | freitags
Saturday | Saturdays | samedi | sábado | sábados | Samstag | samstags
Sunday | Sundays | dimanche | domingo | domingos | Sonntag | sonntags
`;

/** `English | French | Spanish | German` */
export const NUMBER_ROWS = `
two | deux | dos | zwei
three | trois | tres | drei
four | quatre | cuatro | vier
five | cinq | cinco | fünf
six | six | seis | sechs
seven | sept | siete | sieben
eight | huit | ocho | acht
nine | neuf | nueve | neun
ten | dix | diez | zehn
eleven | onze | once | elf
twelve | douze | doce | zwölf
fifteen | quinze | quince | fünfzehn
twenty | vingt | veinte | zwanzig
`;
